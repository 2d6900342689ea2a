import type { ExplanationGroup } from './explanation.js';

/** Copies of segments, and how they stand to what the control plane recorded. */
export const copies: ExplanationGroup = {
  title: 'Copies and seals',
  terms: [
    {
      term: 'sealed',
      aliases: ['.sealed'],
      summary: 'no more records come: of a file, or of a segment',
      what:
        'A file is sealed by its .sealed marker, when its log went on in a new file. A segment is sealed by the ' +
        'control plane, which records its length and size; most copies on disk carry no sign of that.',
    },
    {
      term: 'fenced',
      aliases: ['SEALED', 'fence'],
      summary: 'a copy that accepts no appends any more',
      what:
        'The directory has a SEALED marker. A copy of a sealed segment is to be fenced at the recorded end. As an ' +
        'outcome of settle: the copy held exactly the records, its blank or torn tail was given up, and it is ' +
        'fenced now.',
      node: 'It refuses appends. A backfill still writes to the copy.',
    },
    {
      term: 'active',
      summary: 'a segment that is written to',
      what:
        'The control plane has recorded no end for it. Its copies may differ in length at any moment; settle and ' +
        'the plan leave them alone.',
    },
    {
      term: 'surplus',
      aliases: ['overrun', 'sealed overrun', 'unsettled'],
      summary: 'a copy that is larger than its sealed segment',
      what:
        'Its log files take more bytes than the control plane recorded: records past the end that were never ' +
        'committed, a torn or a blank tail.',
      node: 'It is reported as unsettled, and a repair may copy from it what the cluster never agreed on.',
      next: '"malachi plan-overrun" lists such copies, "malachi settle" cuts and fences them.',
    },
    {
      term: 'short',
      aliases: ['short copy', 'under-filled'],
      summary: 'a copy that lacks records of its sealed segment',
      what: 'Its log files take fewer bytes than the control plane recorded, or it has no files at all.',
      node: 'It fills the copy from another replica once it runs (a backfill).',
      next: 'Start the node and let it. Nothing is to be cut.',
    },
    {
      term: 'backfill',
      summary: 'a node fills its copy from another replica',
      what:
        'A node that lacks records of a segment in whose replica set it is fetches them from a replica that has ' +
        'them. A copy that is not there at all is fetched as a whole. A fence does not stop it.',
      next:
        'See with "malachi compare" that another copy is good, and keep that one until the backfill is done. Then ' +
        'start the node.',
    },
    {
      term: 'seal_at',
      aliases: ['seal at', 'sealed at'],
      summary: "the node's call that ends a copy at the recorded length; settle does the same",
      what:
        'It gives up what a copy holds past the end of its segment, and fences the copy. A plan is a list of such ' +
        'calls: the copy, the offset where the segment starts, and the one where it ends.',
      next: '"malachi settle" does it offline, with a quarantine.',
    },
    {
      term: 'held',
      aliases: ['measured'],
      summary: 'in a plan: copies compared with their seal; in settle: records of a copy',
      what:
        'A plan holds the bytes of each copy of a sealed segment against the bytes that the control plane ' +
        'recorded; copies that it skips are not held against anything. HELD in settle is the number of whole ' +
        'records that were found in the copy.',
    },
    {
      term: 'trimmed',
      summary: 'outcome of settle: records past the end were cut off',
      what:
        'The copy held records past the recorded end. They went to the quarantine, the copy was cut at the last ' +
        'record that belongs to it, and fenced.',
      next: 'Nothing. "malachi restore" undoes it while the copy is as the cut left it.',
    },
    {
      term: 'confirmed',
      aliases: ['SETTLED'],
      summary: 'outcome of settle: the records are right, rot behind them was left',
      what:
        'The copy holds exactly the recorded records, and rot behind them. Rot is not discarded. The copy is ' +
        'fenced, and a SETTLED file says that it was looked at, so that the next plan leaves it out.',
      next: 'Nothing; "malachi settle --drop-rot" also gives up the bytes behind the end.',
    },
    {
      term: 'damaged',
      summary: 'settle: damage below the end; compare: a copy that cannot be trusted',
      what:
        'For settle, the copy has rot, a gap, or whole records behind a tear below the recorded end, or its ' +
        'records are not those of the seal. Nothing was cut. For compare, a copy is torn or rotten, has a bad ' +
        'index, or could not be read.',
      next: 'Have it filled from a good copy. Where there is none, "malachi salvage" gets what is whole.',
    },
    {
      term: 'refused',
      summary: 'outcome of settle and recover: it is not safe, or makes no sense',
      what:
        'For settle, a file of the copy is open, the log root is locked, or the recorded end is below the start ' +
        'of the segment. For recover, the tail that a restart would discard has whole records in it. Nothing was ' +
        'changed.',
      next: 'Do what the reason says: stop the node, take the metadata anew, or salvage the records first.',
    },
    {
      term: 'failed',
      aliases: ['latched', 'latch'],
      summary: 'outcome of settle: the system said no; in a plan: left out by --failed',
      what:
        'Reading or writing failed. The copy is a readable log that holds every record below the end, and the ' +
        'same command goes on from there. In a plan, a copy is latched as failed when --failed names it: it is ' +
        'left out, so that it does not stand in the way of the others.',
      next: 'Mend the cause that the error names, and run the command again.',
    },
    {
      term: 'stale',
      summary: 'outcome of settle: the copy changed since it was planned',
      what: 'Its files are not what the plan saw. Nothing was done to it.',
      next: 'Make sure that the node is stopped, and plan again.',
    },
    {
      term: 'orphaned fence',
      aliases: ['orphaned_fences', 'orphaned_fence', 'orphan'],
      summary: 'the primary of an active segment is fenced',
      what:
        'The primary has a SEALED marker, and the control plane takes the segment for active: the seal was ' +
        'written to disk and never recorded.',
      node: 'The primary refuses appends, so that writes to this range fail.',
      next:
        'It is for the control plane to seal the segment, or to move the range on. The toolkit reports it and ' +
        'removes no fence.',
    },
  ],
};

/** Why a plan passes a copy over. */
export const skips: ExplanationGroup = {
  title: 'Why a plan leaves a copy out (see also active, failed)',
  terms: [
    {
      term: 'replica_not_supplied',
      summary: "a replica's log root was not given",
      what: 'A segment is judged when all its replicas can be seen.',
      next: 'Give the other nodes with --node, or their inventories, or add --partial.',
    },
    {
      term: 'under_replicated',
      summary: 'the segment has fewer replicas than it should',
      what: 'Nothing is cut while copies are missing: they may be needed to fill others.',
      next: 'Let the cluster restore the replicas first. --replication-factor sets what is expected.',
    },
    {
      term: 'foreign_id',
      summary: 'the segment has an id that names no directory',
      what: 'Its topic or its number does not make a directory name that can be read back.',
    },
    {
      term: 'not_in_metadata',
      summary: 'a copy whose segment the metadata do not list',
      what: 'The metadata are older than the copy, lack its topic, or the segment was deleted.',
      node: 'It deletes directories that the control plane does not list, after about ten minutes.',
      next: 'Take the metadata of every topic anew.',
    },
    {
      term: 'not_a_replica',
      summary: 'a copy on a node that the replica set does not name',
      what: 'It is measured against no seal, for it is no copy that the cluster counts on.',
      node: 'It deletes the directory once the control plane does not list it there.',
    },
  ],
};

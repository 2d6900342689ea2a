import type { ExplanationGroup } from './explanation.js';

/** The verdicts of `compare`. */
export const comparing: ExplanationGroup = {
  title: 'Verdicts of compare (the first that holds; see also damaged)',
  terms: [
    {
      term: 'trailing_garbage',
      summary: 'bytes that are no records behind a valid end',
      what: 'A copy has other bytes than zeros behind its last good record.',
      next: '"malachi inspect" the copy that is named, then settle or recover it.',
    },
    {
      term: 'missing',
      summary: 'a node has no directory for the segment',
      what: 'The node is in the replica set, and the copy is not there.',
      next: 'Start the node: it fills the copy from another one. See whether a volume is not mounted.',
    },
    {
      term: 'empty',
      summary: 'a copy has no log file',
      what: 'The directory is there and holds no record.',
      next: 'Start the node: it fills the copy from another one.',
    },
    {
      term: 'extra',
      summary: 'the metadata do not list the segment',
      what: 'Copies are there of a segment that the control plane does not know, or no longer.',
      next: 'Take the metadata of every topic anew before anything is removed.',
    },
    {
      term: 'lagging',
      summary: 'copies hold different numbers of records',
      what:
        'It only says that the counts differ, not who is right: the nodes that are named are the minority, and ' +
        'the minority may hold the good copy. On an active segment that is usual. On a sealed one, some copy is ' +
        'short or past the end: those that are "not at the seal".',
      next:
        'Look at which copies are not at the seal. Past it: "malachi plan-overrun", then settle. Short of it: a ' +
        'backfill.',
    },
    {
      term: 'length_mismatch',
      summary: 'the copies agree, and not with the recorded length',
      what: 'The segment is sealed, and a copy holds another number of records than the control plane recorded.',
      next: 'Take the metadata anew; then plan and settle.',
    },
    {
      term: 'content',
      summary: 'as many records, and different ones',
      what: 'The digests over the records differ: at least one copy is not what was written.',
      next: 'The minority is named. Look at it with dump, and have it filled from one of the others.',
    },
    {
      term: 'benign',
      summary: 'the same records in other files',
      what:
        'Copies differ as files (where they were rolled, a blank tail) and hold the same records; or no copy ' +
        'holds any and none is recorded.',
      next: 'Nothing.',
    },
    {
      term: 'identical',
      summary: 'the same records in the same files',
      what: 'The copies are equal byte by byte.',
      next: 'Nothing.',
    },
    {
      term: 'met',
      summary: "in compare --copies: the copy's records are those of the seal",
      what: 'The copy of a sealed segment holds as many records as the control plane recorded, in as many bytes.',
      next: 'Nothing.',
    },
    {
      term: 'off',
      aliases: ['off_seal', 'not at the seal'],
      summary: "in compare --copies: the copy's records are not those of the seal",
      what:
        'The copy of a sealed segment holds another number of records than the control plane recorded, or other ' +
        'bytes, or it is not there. A copy that could not be read is neither met nor off.',
      next: 'More records: plan-overrun and settle. Fewer: a backfill. Damaged: see torn and rot.',
    },
    {
      term: 'control mismatch',
      aliases: ['mismatch', 'control', 'control ok'],
      summary: 'compare: the copies are not what the metadata says',
      what:
        'At least one copy is not at the seal of its segment, or the metadata do not list a segment. "Control ok" ' +
        'says that there is none of that; the copies may still differ from each other.',
      next: 'The table "not at the seal" and the verdicts name the copies.',
    },
    {
      term: 'stray',
      summary: 'a copy on a node outside the replica set',
      what: 'It does not count for the verdict.',
      node: 'It deletes the directory once the control plane does not list it there.',
    },
    {
      term: 'unreadable',
      summary: 'a copy that is there and could not be read as a whole',
      what: 'The system failed on it, or it is no copy that can be read. The verdict is then damaged.',
      next: 'Mend the cause that the error names, and compare again.',
    },
    {
      term: 'unavailable',
      aliases: ['control unavailable'],
      summary: 'compare was given no metadata',
      what: 'What should be there is not known, so that the comparison never passes (exit 1).',
      next: 'Give --metadata.',
    },
  ],
};

import type { ExplanationGroup } from './explanation.js';

/** What stands behind the last good record of a file, and what a restart makes of it. */
export const tails: ExplanationGroup = {
  title: 'The end of a file',
  terms: [
    {
      term: 'clean',
      summary: 'the last good record ends where the file does',
      what: 'Every byte of the file belongs to a good record. There is no tail.',
      node: 'A restart changes nothing. With preallocation it extends a file that is not sealed.',
      next: 'Nothing.',
    },
    {
      term: 'blank',
      aliases: ['blank tail', 'preallocation', 'prealloc'],
      summary: 'nothing but zeros behind the last good record',
      what:
        'A node that preallocates makes a new file in full size and writes over the zeros. What it has not ' +
        'written yet is a blank tail: two zero bytes or more, up to the end of the file. It is no damage.',
      node: 'A restart keeps it. Sealing or closing the file cuts it off.',
      next:
        'Nothing, while the segment is active. On a sealed segment the copy counts as larger than recorded ' +
        'until it is settled: see surplus.',
    },
    {
      term: 'torn',
      aliases: ['torn tail'],
      summary: 'a write that did not finish, at the end of the file',
      what:
        'The node died while it wrote. The file ends inside a record, or, in preallocated space, a record ' +
        'gives out into zeros. Nobody was told that this record is safe. A rotted record can look the same: ' +
        'where its length field grew, where it is the last one and ends in zeros, or where it is so large ' +
        'that the node sees a part of it. Whole records may then stand behind it: see beyond.',
      node: 'A restart discards the tail of a file that is not sealed, and all that stands behind it.',
      next:
        'Where inspect finds nothing beyond: start the node, or "malachi recover --apply" does the same with a ' +
        'quarantine. Where it finds records beyond: do not start the node on this file. Is another copy good ' +
        '(malachi compare)? Then move this one out of the log root, start the node, and it fetches the records ' +
        'again. Else "malachi salvage" gets the whole ones: see salvage for what to do with them.',
    },
    {
      term: 'rot',
      summary: 'a record that is there and is wrong, with good ones perhaps behind it',
      what:
        'Bytes changed after they were written: a checksum does not hold, or no record starts where one ' +
        'should. The records before it are good, and those behind it often are.',
      node:
        'A restart keeps every byte, reads up to the damage, and refuses appends (damaged_tail). The records ' +
        'behind the damage are not read.',
      next:
        'A good copy is the repair. "malachi compare" shows which are good. Stop the node, move the damaged ' +
        'directory out of the log root, start the node: it fetches the records again. Where no other copy is ' +
        'good, "malachi salvage" gets what is whole: see salvage for what to do with it.',
    },
    {
      term: 'beyond',
      aliases: ['recoverable'],
      summary: 'whole records behind the first unreadable byte',
      what:
        'The toolkit looks on behind the damage, byte by byte, for records whose lengths and checksum hold. A ' +
        'node does not. Where a node would discard the tail, these are the records that a restart loses.',
      node: 'It does not look there.',
      next: '"malachi salvage FILE --out rescued/FILE" copies them. recover refuses to discard them.',
    },
    {
      term: 'discard_tail',
      aliases: ['discarded'],
      summary: 'what a restart does to a torn file that is not sealed',
      what:
        'The file is cut to its good records; with preallocation the written part of the tail is overwritten ' +
        'with zeros and the file keeps its size.',
      next: 'Look at beyond first: a discarded tail is gone. "malachi recover" keeps it in a quarantine.',
    },
    {
      term: 'preserve',
      aliases: ['damaged_tail', 'preserved'],
      summary: 'what a restart does to rot, and to any damage of a sealed file',
      what:
        'No byte is changed. On the file that is written to, an append is then refused with damaged_tail, ' +
        'because the damage stands where the next record would go.',
      next: 'Have the copy filled from another one; the segment takes no writes on this node until then.',
    },
    {
      term: 'extended',
      summary: 'what a restart with preallocation does to a file that is small',
      what:
        'Zeros are put behind the records, up to the preallocation size. recover does it with ' +
        '--prealloc-bytes, as the node would.',
    },
  ],
};

/** Why reading stopped. */
export const halts: ExplanationGroup = {
  title: 'Why reading stopped',
  terms: [
    {
      term: 'eof',
      summary: 'the file ended, behind a record or inside one',
      what: 'At the end of a record the file is clean; inside a record it is torn.',
    },
    {
      term: 'incomplete',
      summary: 'the file ends inside a record',
      what:
        'The record claims more bytes than the file holds. That is a torn write, or a length field that rotted ' +
        'upwards: then whole records stand behind it (see beyond).',
    },
    {
      term: 'bad_magic',
      summary: 'no record starts where one should',
      what:
        'A record starts with the bytes 4d 51 and a length of 29 or more. Here are others: the start of a record ' +
        'rotted, a length did and led to a wrong place, or a page of zeros has data behind it.',
    },
    {
      term: 'bad_crc',
      summary: "a record's checksum does not hold",
      what:
        'Its payload changed after it was written, or was not written to its end in preallocated space. The ' +
        'checksum covers the payload alone, not the length.',
    },
    {
      term: 'bad_payload',
      summary: 'a checksum holds, and the lengths inside the record do not fit',
      what:
        'The key, the value or a header would run past the record. Such bytes were written that way; they did ' +
        'not rot.',
    },
    {
      term: 'bad_index',
      aliases: ['bad index', 'index', 'sidecar'],
      summary: 'a sidecar index that points to a wrong place',
      what:
        'The .idx beside a sealed file lists where records stand. An entry points at no record with its offset, ' +
        'or the size is no multiple of 16. The records are good: the index is a hint and has no checksum. ' +
        'reindex also tells missing ones, partial ones (right, without the first record) and other ones ' +
        '(right, with other entries than it would write).',
      node: 'It reads on from the start of the file where the index is wrong, which is slow, and reports it.',
      next: '"malachi reindex PATH --apply" writes it anew.',
    },
    {
      term: 'out of sequence',
      aliases: ['out_of_sequence'],
      summary: 'records whose offsets are not one after the other',
      what:
        "A record's offset is its place: the file's first offset plus the number of records before it. These " +
        'carry another one. The checksums hold, so they were written that way.',
      node: 'It counts records by their place and does not compare.',
      next: 'Compare the copy with the others: "malachi compare". Let a good copy replace it.',
    },
    {
      term: 'not_above_last',
      aliases: ['stale frame'],
      summary: 'a record that salvage leaves out: its offset is not above the one before',
      what: 'It repeats an offset, or goes back: most likely the remains of an earlier write.',
      next: 'Look at it with dump. "malachi salvage --help" tells how to keep such records.',
    },
    {
      term: 'inside_damaged_record',
      summary: 'a record that salvage leaves out: it lies in the bytes of a damaged one',
      what: "It may be a part of the damaged record's value, which can hold anything.",
      next: 'Look at it with dump. "malachi salvage --help" tells how to keep such records.',
    },
  ],
};

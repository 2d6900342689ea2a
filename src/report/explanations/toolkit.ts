import type { ExplanationGroup } from './explanation.js';

/** How the toolkit works. */
export const toolkit: ExplanationGroup = {
  title: 'This toolkit',
  terms: [
    {
      term: 'exit codes',
      aliases: ['exit', 'exit code', '0', '1', '2', '3', '4', '130', '143'],
      summary: '0 fine, 1 findings, 2 invalid input, 3 the system failed, 4 refused',
      what:
        'The largest that applies: 0 nothing needs attention; 1 findings, such as damage, a short copy, a ' +
        'disagreement, work left over; 2 a wrong command line or input; 3 the system failed and the answer is not ' +
        'complete; 4 refused for safety. An interrupt ends with 130, a termination with 143.',
    },
    {
      term: 'dry run',
      aliases: ['--apply', 'apply'],
      summary: 'without --apply nothing is changed',
      what:
        'settle, recover, reindex and restore tell what they would do. With --apply they do it, one step after ' +
        'the other, each on disk before the next: cut short, the same command goes on.',
    },
    {
      term: 'quarantine',
      summary: 'where everything that is cut is kept',
      what:
        'Before anything is cut, it is copied to the quarantine directory and is on disk there, with a manifest ' +
        'that says what it is, where it comes from, and the checksums. It is never overwritten, and refused inside ' +
        'a log root, where a node would delete it. If there is no space for it, nothing is cut.',
      next: '"malachi restore ENTRY --apply" puts it back. Remove it when nobody asks for it any more.',
    },
    {
      term: 'salvage',
      aliases: ['rescued', 'rescued file'],
      summary: 'gets every whole record out of a damaged file, into a new one',
      what:
        'The rescued file holds the whole records in front of, between and behind damages, as they were written. ' +
        'The damaged file is not changed.',
      node:
        'It counts records by their place: where offsets are missing from a rescued file, it would read all the ' +
        'later records under wrong ones.',
      next:
        'Keep the damaged file. Look at the rescued one with "malachi inspect" and "malachi dump". Where salvage ' +
        'says that offsets are missing, do not put it into a log root: have its records written to the topic ' +
        'again ("--format ndjson" gives them to a program). Where none is missing, and no other copy is good, it ' +
        "may take the damaged file's place, under the name of its first offset, while the node is stopped.",
    },
    {
      term: 'lock',
      aliases: ['malachi-toolkit.lock'],
      summary: 'one writing run of the toolkit on a log root at a time',
      what:
        'A run with --apply leaves a link named malachi-toolkit.lock in the log root that says which process it ' +
        'is. The lock of a process that has ended is taken over.',
    },
  ],
};

/** Codes of errors in a JSON answer. */
export const errorCodes: ExplanationGroup = {
  title: 'Error codes',
  terms: [
    code(
      'EINVALID',
      'the input is not what was expected',
      'The message names the thing and the place in it.',
    ),
    code(
      'EDUPLICATE',
      'a thing was given twice',
      'A node, a directory or a copy has to be named once.',
    ),
    code(
      'EBADNAME',
      'a name is not one that the system writes',
      'A log file is named by 20 digits and .log: its first offset. Other names cannot be read as one.',
    ),
    code(
      'EFORMAT',
      'a log root of a format that is not known',
      'Its malachi.format is above 1, or is no marker. ' +
        'Use the release that it asks for, or add --ignore-format to read it all the same.',
    ),
    code('EINUSE', 'a process has a file of the copy open', 'Stop the node first.'),
    code(
      'EUNCHECKED',
      'whether a file is in use cannot be seen',
      'Make sure that the node is stopped, then add --yes.',
    ),
    code(
      'ELOCKED',
      'another run of the toolkit works on the log root',
      'Wait for its end; see lock.',
    ),
    code(
      'EOUTDATED',
      'the files are not what the plan or the entry says',
      'Nothing was changed. Plan again.',
    ),
    code(
      'EINSIDE',
      'the place lies inside a log root',
      'A node deletes there what it does not know. Give another place.',
    ),
    code('EEXIST', 'the name is taken', 'Nothing is overwritten. Give a new name.'),
    code(
      'EUNFINISHED',
      'a settle of the copy was cut short',
      'Run "malachi settle" again, or restore its quarantine entry, before anything else.',
    ),
    code(
      'ENOTLAST',
      "the file is not its log's last one",
      'A restart recovers the last file alone; those before it are sealed.',
    ),
    code(
      'ELINK',
      'a copy, or a file in it, is a link or no regular file',
      'Nothing is changed behind a link: name the place itself.',
    ),
    code(
      'EPIECE',
      'a quarantine entry is not whole',
      'A piece is missing or is not what the manifest says. Nothing was put back.',
    ),
    code(
      'EUNKEPT',
      'a quarantine entry that a run was killed in front of',
      'It has no manifest.json, so nothing was cut for it. It can be removed.',
    ),
    code(
      'EQUARANTINE',
      'a whole quarantine stands where one of its entries is expected',
      'Name the entries: DIR/* names all of them.',
    ),
    code('EDECLINED', 'the question was answered with no', 'Nothing was changed.', ['EWANTSYES']),
    code(
      'ECHANGED',
      'a file was written to while it was read',
      'Stop the node, or look at a copy of the file.',
    ),
    code('ENOTREG', 'the path is no regular file', 'It is a device, a pipe or a socket.'),
    code('EFBIG', 'a file is larger than one of its kind can be', 'It is not what its name says.'),
    code(
      'EISDIR',
      'the path is another kind of thing than expected',
      'A directory stands where a file is expected, or a file where a directory is.',
      ['ENOTDIR'],
    ),
    code(
      'EHANDLE',
      'a handle of the library is not to be used any more',
      'It failed, or is closed: recover the file anew.',
    ),
    code(
      'EFENCED',
      'a fenced directory without a file',
      'The log cannot be opened for appending. See fenced.',
    ),
    code('ENOENT', 'there is no such file or directory', 'See whether the volume is mounted.'),
    code('EACCES', 'the system does not permit it', 'Run as the user that the node runs as.', [
      'EPERM',
    ]),
    code(
      'EIO',
      'the device failed to read or to write',
      'Look at the system log; copy the volume before anything else.',
    ),
    code(
      'ENOSPC',
      'no space left',
      'Nothing was cut without its copy in the quarantine. Make room, and run again.',
    ),
  ],
};

function code(
  term: string,
  summary: string,
  what: string,
  aliases: readonly string[] = [],
): ExplanationGroup['terms'][number] {
  return { term, summary, what, aliases };
}

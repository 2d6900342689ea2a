import { Option } from 'commander';
import type { NodeRoot } from '../operations/nodes.js';
import { emptyRoots } from '../operations/empty-roots.js';
import { parseNodeRoot } from '../operations/nodes.js';
import { safeText } from '../report/safe-text.js';
import type { Context } from './context.js';

/** `--node NAME=LOG_ROOT`, repeatable. */
export function nodeOption(): Option {
  return new Option('--node <name=root>', "a node's name and its log root; repeatable")
    .argParser((text: string, before: readonly NodeRoot[] = []) => [...before, parseNodeRoot(text)])
    .default([], 'none');
}

/** `--metadata FILE`, repeatable. */
export function metadataOption(): Option {
  return new Option(
    '--metadata <file>',
    "what the dashboard's /topic answered, one answer or several; repeatable",
  )
    .argParser((path: string, before: readonly string[] = []) => [...before, path])
    .default([], 'none');
}

/** Notes the roots without any copy, which count as those of a node that has lost everything. */
export function noteEmptyRoots({ disk, output }: Context, nodes: readonly NodeRoot[]): void {
  for (const { node, root } of emptyRoots(disk, nodes)) {
    const question = 'is this the log root, and is its volume mounted?';
    output.note(safeText(`${node}: no copy was found below ${root}: ${question}`));
  }
}

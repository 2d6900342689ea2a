import { Option } from 'commander';
import type { NodeRoot } from '../operations/nodes.js';
import { parseNodeRoot } from '../operations/nodes.js';

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

import { dirname } from 'node:path';

/** Files by the directory that holds their segment directories, in the order in which they come. */
export function groupByRoot<T extends { readonly path: string }>(
  files: readonly T[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const file of files) {
    const directory = dirname(dirname(file.path));
    const group = groups.get(directory);
    if (group) group.push(file);
    else groups.set(directory, [file]);
  }
  return groups;
}

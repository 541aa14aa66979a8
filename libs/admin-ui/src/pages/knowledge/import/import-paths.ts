import type { ChosenFile } from '../../../components/chosen-files';

/** Returns the common folder of all files; null = none. */
export function commonFolder(files: readonly ChosenFile[]): string | null {
  const folders = new Set(files.map(({ path }) => path.split('/').slice(0, -1)[0] ?? null));
  const [only] = folders;
  return folders.size === 1 && only !== undefined ? only : null;
}

/** Renames files to the name of an import: it replaces their folder if they have one, or precedes their path. */
export function named(files: readonly ChosenFile[], name: string): ChosenFile[] {
  const folder = commonFolder(files);
  return files.map(({ path, file }) => {
    const rest = folder === null ? path : path.slice(folder.length + 1);
    return { path: name === '' ? rest : `${name}/${rest}`, file };
  });
}

import type { ModuleFiles } from '#skill-host';
import { type ArchiveEntry, unzipped } from '../../../platform/archives/unzipped.rules.js';
import { INDEX_FILES, MODULE_FILE, MOST_CODE, MOST_FOLDERS, MOST_MODULE_FILES } from '../declared/module.js';

interface Archive {
  file: string;
  files: ModuleFiles;
}

/** Maximum number of entries read from an archive. */
const MOST_ENTRIES = 2_000;
/** Files that are not code of a module: hidden files, tests and declarations, as in SKILLS_DIR. */
const LEFT_OUT = /(?:^|\/)(?:[._]|node_modules\/)|\.(?:test|spec|d)\.[a-z]+$/;

/**
 * Unpacks the folder of a module from a ZIP archive: its files are at the top level, or in a single folder.
 * @param name name of the archive, such as `weather.zip`
 * @returns the file that exports the skills, and the texts of all files; or the problem
 */
export function readArchive({ name, bytes }: { name: string; bytes: Uint8Array }): Archive | { problem: string } {
  try {
    return archiveOf(name, bytes);
  } catch (error) {
    return { problem: `it cannot be unpacked: ${String((Object(error) as Error).message).slice(0, 300)}` };
  }
}

function archiveOf(name: string, bytes: Uint8Array): Archive {
  const unpacked = unpack(bytes);
  const paths = Object.keys(unpacked);
  const tops = new Set(paths.map((path) => path.slice(0, path.indexOf('/') + 1)));
  const [top = ''] = tops.size === 1 ? tops : [];
  const folder = top === '' ? name.replace(/\.zip$/i, '') : top.slice(0, -1);
  const index = INDEX_FILES.find((one) => paths.includes(top + one));
  if (index === undefined)
    throw new Error('it has no index.ts, which must be at the top of the archive, or in its one folder');
  const files: Record<string, string> = {};
  for (const path of paths) files[`${folder}/${path.slice(top.length)}`] = textOf(path, unpacked[path]);
  return { file: `${folder}/${index}`, files };
}

function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let [entries, total, count] = [0, 0, 0];
  const isCode = ({ name, originalSize }: ArchiveEntry): boolean => {
    entries += 1;
    if (entries > MOST_ENTRIES) throw new Error(`it has more than ${MOST_ENTRIES} entries`);
    if (name.endsWith('/')) return false;
    const parts = name.split('/');
    if (name.includes('\\') || name.length > 500 || parts.some((part) => /^\.{0,2}$|\p{Cc}|:/u.test(part)))
      throw new Error(`it has a path that is none in a module: ${JSON.stringify(name.slice(0, 100))}`);
    if (LEFT_OUT.test(name) || !MODULE_FILE.test(parts.at(-1) ?? '')) return false;
    [total, count] = [total + originalSize, count + 1];
    if (parts.length > MOST_FOLDERS + 1) throw new Error(`it has folders in more than ${MOST_FOLDERS} levels`);
    if (count > MOST_MODULE_FILES) throw new Error(`it has more than ${MOST_MODULE_FILES} files`);
    if (total > MOST_CODE) throw new Error(`it unpacks to more than ${MOST_CODE} bytes`);
    return true;
  };
  return unzipped(bytes, isCode);
}

function textOf(path: string, bytes: Uint8Array | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is no text in UTF-8`);
  }
}

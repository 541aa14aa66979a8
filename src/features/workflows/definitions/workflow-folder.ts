import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MOST_DEFINITION_BYTES } from '#open-workflow';
import { readFolder } from '../../../platform/folders/read-folder.js';

const MOST_FILES = 500;

export interface WorkflowText {
  file: string;
  /** null = unreadable */
  text: string | null;
  /** Why it could not be read; null = no problem. */
  problem: string | null;
}

/** Returns the YAML files of a folder in alphabetical order; null when it is missing. @throws FolderNotReadable */
export async function readWorkflowFolder(folder: string): Promise<WorkflowText[] | null> {
  const names = await readFolder(folder);
  if (names === null) return null;
  const files = names.filter((name) => /^[^.].*\.ya?ml$/i.test(name)).sort();
  const texts: WorkflowText[] = [];
  for (const file of files.slice(0, MOST_FILES)) {
    const read = await readWorkflowFile(join(folder, file));
    if (read) texts.push({ file, ...read });
  }
  for (const file of files.slice(MOST_FILES)) {
    texts.push({ file, text: null, problem: `the folder has more than ${MOST_FILES} workflows: this one is left out` });
  }
  return texts;
}

/** Reads a file; returns null when it is not a file, or was removed in the meantime. */
async function readWorkflowFile(path: string): Promise<Omit<WorkflowText, 'file'> | null> {
  try {
    const about = await stat(path);
    if (!about.isFile()) return null;
    if (about.size > MOST_DEFINITION_BYTES) {
      return {
        text: null,
        problem: `the file is larger than ${MOST_DEFINITION_BYTES / 1024} KB: split it into several workflows`,
      };
    }
    return { text: (await readFile(path, 'utf8')).replace(/^\uFEFF/, ''), problem: null };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    return {
      text: null,
      problem: `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

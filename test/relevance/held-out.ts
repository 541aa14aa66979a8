import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CorpusDocument } from './corpus.js';
import { JUDGEMENTS } from './held-out/judgements.js';
import type { JudgedQuery } from './queries.js';

const FOLDER = 'test/relevance/held-out';

/** Handwritten documents, one per file: the key is the file name, the title its first heading. */
export function heldOutDocuments(): CorpusDocument[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const [heading = '', ...lines] = readFileSync(join(FOLDER, file), 'utf8').split('\n');
      return { key: basename(file, '.md'), title: heading.replace(/^# /, ''), content: lines.join('\n').trim() };
    });
}

export function heldOutQueries(): JudgedQuery[] {
  return JUDGEMENTS.map(([query, relevant]) => ({ query, relevant: new Map(Object.entries(relevant)) }));
}

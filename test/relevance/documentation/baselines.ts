import { DatabaseSync } from 'node:sqlite';
import MiniSearch from 'minisearch';
import { passagesOf } from '../../../src/features/knowledge/passages/passages.rules.js';
import type { CorpusDocument } from '../corpus.js';

/** Returns the keys of the documents that a search finds, best first. */
export type Search = (query: string) => readonly string[] | Promise<readonly string[]>;

const DEPTH = 10;
const PASSAGES = 400;

/** SQLite's own full-text search with the Porter stemmer, over the same passages: any of the words, ranked by BM25. */
export function porterPassages(documents: readonly CorpusDocument[]): Search {
  const database = new DatabaseSync(':memory:');
  database.exec(
    "create virtual table passages using fts5(key unindexed, title, context, body, tokenize='porter unicode61')",
  );
  const insert = database.prepare('insert into passages values (?, ?, ?, ?)');
  for (const { key, title, content } of documents) {
    for (const passage of passagesOf(content)) insert.run(key, title, passage.headings.join('\n'), passage.content);
  }
  const find = database.prepare(
    `select key from passages where passages match ? order by bm25(passages, 0, 8, 3, 1) limit ${PASSAGES}`,
  );
  return (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    const rows = find.all(words.map((word) => `"${word}"`).join(' OR '));
    return [...new Set(rows.map(({ key }) => String(key)))].slice(0, DEPTH);
  };
}

/** MiniSearch over whole documents, configured as in its documentation. */
export function miniSearch(documents: readonly CorpusDocument[]): Search {
  const index = new MiniSearch<CorpusDocument>({ idField: 'key', fields: ['title', 'content'] });
  index.addAll(documents);
  return (query) =>
    index
      .search(query, { boost: { title: 2 } })
      .slice(0, DEPTH)
      .map(({ id }) => String(id));
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../src/database/database.js';
import { openEmbeddedDatabase, openPostgres } from '../src/database/open-database.js';
import type { KnowledgeService } from '../src/knowledge/knowledge.service.js';
import { provideKnowledge } from '../src/knowledge/standalone-knowledge.js';
import { dialectOf } from '../src/sql/dialect.js';
import { Random } from '../test/fuzz/random.js';
import { median } from './median.js';

export interface KnowledgeCost {
  database: string;
  passages: number;
  /** Documents of one passage, by several writers at once. */
  savesPerSecond: number;
  searchP50Ms: number;
  searchP95Ms: number;
  /** One page, as the administration asks for it. */
  listP50Ms: number;
  /** One document of ten passages. */
  readP50Ms: number;
}

const PASSAGES_PER_DOCUMENT = 10;
const WORDS_PER_PASSAGE = 120;
const VOCABULARY = 20_000;
const SAVES = 2_000;
const WRITERS = 8;
const READS = 500;
const LISTED = 100;

/** On SQLite, and on PostgreSQL where TEST_POSTGRES_URL names an empty database that may be filled. */
export async function measureKnowledge(passages: number, searches: number): Promise<KnowledgeCost[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const sqlite = await measureOn('SQLite', await openEmbeddedDatabase(dataDir), passages, searches);
    const url = process.env['TEST_POSTGRES_URL'];
    return url ? [sqlite, await measureOn('PostgreSQL', await openPostgres(url), passages, searches)] : [sqlite];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureOn(name: string, database: Database, passages: number, searches: number): Promise<KnowledgeCost> {
  const knowledge = provideKnowledge(database);
  const random = new Random(1);
  try {
    await fill(knowledge, random, passages);
    await settle(database);
    const searchMs = await durationsOf(searches, () => {
      const query = Array.from({ length: random.integer(1, 4) }, () => word(random)).join(' ');
      return knowledge.search({ query, limit: 8 });
    });
    const listMs = await durationsOf(READS, () => knowledge.listPage({ limit: LISTED }));
    const { items } = await knowledge.listPage({ limit: LISTED });
    const readMs = await durationsOf(READS, (count) => knowledge.find(items[count % LISTED]?.id ?? ''));
    const startedAt = performance.now();
    await atOnce(SAVES, (count) => knowledge.save({ title: `Saved ${count}`, content: passage(random) }));
    return {
      database: name,
      passages,
      savesPerSecond: SAVES / ((performance.now() - startedAt) / 1_000),
      searchP50Ms: median(searchMs),
      searchP95Ms: searchMs.sort((a, b) => a - b)[Math.floor(searches * 0.95)] ?? NaN,
      listP50Ms: median(listMs),
      readP50Ms: median(readMs),
    };
  } finally {
    await database.destroy();
  }
}

async function fill(knowledge: KnowledgeService, random: Random, passages: number): Promise<void> {
  await atOnce(passages / PASSAGES_PER_DOCUMENT, (number) => {
    const sections = Array.from({ length: PASSAGES_PER_DOCUMENT }, () => `## ${word(random)}\n\n${passage(random)}`);
    return knowledge.save({ title: `${word(random)} ${word(random)} ${number}`, content: sections.join('\n\n') });
  });
}

/** What PostgreSQL does by itself within a minute. */
async function settle(database: Database): Promise<void> {
  if (dialectOf(database) === 'postgres') await sql`vacuum analyze`.execute(database);
}

async function durationsOf(count: number, work: (count: number) => Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const startedAt = performance.now();
    await work(done);
    durations.push(performance.now() - startedAt);
  }
  return durations;
}

async function atOnce(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const writer = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

const passage = (random: Random): string => Array.from({ length: WORDS_PER_PASSAGE }, () => word(random)).join(' ');

/** Few words are frequent and most are rare, as in a language. */
const word = (random: Random): string => WORDS[Math.floor(VOCABULARY ** random.next())] ?? '';

const SYLLABLES = [...'bdfgklmnprtvz'].flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel));
/** No two are alike, and none is the beginning of many others. */
const WORDS = Array.from({ length: VOCABULARY }, (_, rank) =>
  [rank * 7919, rank, rank / SYLLABLES.length, rank / SYLLABLES.length ** 2]
    .map((number) => SYLLABLES[Math.floor(number) % SYLLABLES.length])
    .join(''),
);

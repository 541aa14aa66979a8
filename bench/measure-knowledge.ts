import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../src/platform/database/database.js';
import { openEmbeddedDatabase, openPostgres } from '../src/platform/database/open-database.js';
import type { KnowledgeService } from '../src/features/knowledge/knowledge.service.js';
import { provideKnowledge } from '../src/features/knowledge/standalone-knowledge.js';
import { provideMemory } from '../src/features/memory/standalone-memory.js';
import { dialectOf } from '../src/platform/sql/dialect.js';
import { Random } from '../test/fuzz/random.js';
import { median } from './median.js';
import { stalling } from './stalling.js';

export interface KnowledgeCost {
  database: string;
  passages: number;
  /** Passages of documents of ten passages, by several writers at once. */
  importedPerSecond: number;
  /** Documents of one passage, by several writers at once. */
  savesPerSecond: number;
  /** Bytes written to the database and its log per document; null = written by another process, or the system does not count them. */
  savedKilobytes: number | null;
  search: Durations;
  /** Among the tenth of the documents that have a tag. */
  taggedSearch: Durations;
  memoryEntries: number;
  memorySearch: Durations;
  /** One page, as the administration requests it. */
  listP50Ms: number;
  /** One document of ten passages. */
  readP50Ms: number;
  /** The longest time that the event loop was blocked, while documents were imported, searched and saved. */
  longestStallMs: Phases;
  /** The CPU time of its busiest turn: a stall is longer when other processes use the cores. */
  busiestTurnMs: Phases;
  /** Size of the database with its log; null = not in this file system. */
  diskMegabytes: number | null;
  residentMegabytes: number;
}

type Phases = Record<'importing' | 'searching' | 'saving', number>;

interface Durations {
  p50Ms: number;
  p95Ms: number;
}

const PASSAGES_PER_DOCUMENT = 10;
const WORDS_PER_PASSAGE = 120;
const VOCABULARY = 20_000;
const SAVES = 2_000;
const WRITERS = 8;
/** Warm-up before the measurement, as in a service that has run for a while. */
const WARM_UP_PASSAGES = 1_000;
const WARM_UP_SEARCHES = 20;
const READS = 500;
const LISTED = 100;
const TAG = 'tenth';
const MEGABYTE = 1_000_000;

/** On SQLite, and on PostgreSQL where TEST_POSTGRES_URL names an empty database that may be filled. */
export async function measureKnowledge(
  passages: number,
  searches: number,
  memoryEntries: number,
): Promise<KnowledgeCost[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const size = { passages, searches, memoryEntries };
  try {
    const sqlite = await measureOn('SQLite', await openEmbeddedDatabase(dataDir), size, () => megabytesIn(dataDir));
    const url = process.env['TEST_POSTGRES_URL'];
    return url ? [sqlite, await measureOn('PostgreSQL', await openPostgres(url), size, () => null)] : [sqlite];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Size {
  passages: number;
  searches: number;
  memoryEntries: number;
}

async function measureOn(
  name: string,
  database: Database,
  { passages, searches, memoryEntries }: Size,
  megabytes: () => number | null,
): Promise<KnowledgeCost> {
  const knowledge = provideKnowledge(database);
  const memory = provideMemory(database);
  const random = new Random(1);
  const query = () => Array.from({ length: random.integer(1, 5) }, () => word(random)).join(' ');
  try {
    await fill(knowledge, random, WARM_UP_PASSAGES);
    const importing = await stalling(async () => {
      const startedAt = performance.now();
      await fill(knowledge, random, passages);
      return passages / ((performance.now() - startedAt) / 1_000);
    });
    await atOnce(memoryEntries, (number) =>
      memory.save({ key: `k${number}`, content: passage(random).slice(0, 200), client: 'bench' }),
    );
    await settle(database);
    await durationsOf(WARM_UP_SEARCHES, () => knowledge.search({ query: query(), limit: 8 }));
    const searching = await stalling(async () => ({
      search: await durationsOf(searches, () => knowledge.search({ query: query(), limit: 8 })),
      taggedSearch: await durationsOf(searches, () => knowledge.search({ query: query(), tags: [TAG], limit: 8 })),
      memorySearch: await durationsOf(searches, () => memory.search({ query: query(), limit: 8 })),
    }));
    const listMs = await durationsOf(READS, () => knowledge.listPage({ limit: LISTED }));
    const { items } = await knowledge.listPage({ limit: LISTED });
    const readMs = await durationsOf(READS, (count) => knowledge.find(items[count % LISTED]?.id ?? ''));
    const saving = await stalling(async () => {
      const [startedAt, before] = [performance.now(), writtenBytes()];
      await atOnce(SAVES, (count) => knowledge.save({ title: `Saved ${count}`, content: passage(random) }));
      const [seconds, after] = [(performance.now() - startedAt) / 1_000, writtenBytes()];
      const kilobytes = before === null || after === null ? null : (after - before) / SAVES / 1_000;
      return { perSecond: SAVES / seconds, kilobytes };
    });
    return {
      database: name,
      passages,
      importedPerSecond: importing.result,
      savesPerSecond: saving.result.perSecond,
      savedKilobytes: megabytes() === null ? null : saving.result.kilobytes,
      search: toDurations(searching.result.search),
      taggedSearch: toDurations(searching.result.taggedSearch),
      memoryEntries,
      memorySearch: toDurations(searching.result.memorySearch),
      listP50Ms: median(listMs),
      readP50Ms: median(readMs),
      longestStallMs: { importing: importing.stallMs, searching: searching.stallMs, saving: saving.stallMs },
      busiestTurnMs: { importing: importing.busiestMs, searching: searching.busiestMs, saving: saving.busiestMs },
      diskMegabytes: megabytes(),
      residentMegabytes: process.memoryUsage.rss() / MEGABYTE,
    };
  } finally {
    await database.destroy();
  }
}

const toDurations = (ms: readonly number[]): Durations => ({
  p50Ms: median([...ms]),
  p95Ms: [...ms].sort((a, b) => a - b)[Math.floor(ms.length * 0.95)] ?? NaN,
});

const megabytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0) / MEGABYTE;

/** Bytes that all threads of this process have written; null where the system does not count them (proc(5)). */
const writtenBytes = (): number | null =>
  existsSync('/proc/self/io') ? Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]) : null;

async function fill(knowledge: KnowledgeService, random: Random, passages: number): Promise<void> {
  await atOnce(passages / PASSAGES_PER_DOCUMENT, (number) => {
    const sections = Array.from({ length: PASSAGES_PER_DOCUMENT }, () => `## ${word(random)}\n\n${passage(random)}`);
    const tags = number % 10 === 0 ? [TAG] : [];
    return knowledge.save({ title: `${word(random)} ${word(random)} ${number}`, content: sections.join('\n\n'), tags });
  });
}

/** Does what PostgreSQL does automatically within a minute. */
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

/** As in a language, few words are frequent and most are rare; the most frequent are those of every English text. */
const word = (random: Random): string => WORDS[Math.floor(VOCABULARY ** random.next())] ?? '';

const FREQUENT = 'the of and to a in is for that with this are you from your on it as be or'.split(' ');
const SYLLABLES = [...'bdfgklmnprtvz'].flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel));
/** All words are different, and none is a prefix of many others. */
const WORDS = Array.from(
  { length: VOCABULARY },
  (_, rank) =>
    FREQUENT[rank] ??
    [rank * 7919, rank, rank / SYLLABLES.length, rank / SYLLABLES.length ** 2]
      .map((number) => SYLLABLES[Math.floor(number) % SYLLABLES.length])
      .join(''),
);

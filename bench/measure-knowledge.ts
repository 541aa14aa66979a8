import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/database/database.js';
import { openEmbeddedDatabase, openPostgres } from '../src/database/open-database.js';
import { provideKnowledge } from '../src/knowledge/knowledge.provider.js';
import type { KnowledgeService } from '../src/knowledge/knowledge.service.js';
import { Random } from '../test/fuzz/random.js';
import { median } from './median.js';

export interface KnowledgeCost {
  database: string;
  passages: number;
  /** Documents of one passage, one after the other. */
  savesPerSecond: number;
  searchP50Ms: number;
  searchP95Ms: number;
}

const PASSAGES_PER_DOCUMENT = 10;
const WORDS_PER_PASSAGE = 120;
const VOCABULARY = 20_000;
const SAVES = 500;

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
    const durations: number[] = [];
    for (let count = 0; count < searches; count += 1) {
      const query = Array.from({ length: random.integer(1, 4) }, () => word(random)).join(' ');
      const startedAt = performance.now();
      await knowledge.search({ query, limit: 8 });
      durations.push(performance.now() - startedAt);
    }
    const startedAt = performance.now();
    for (let count = 0; count < SAVES; count += 1) {
      await knowledge.save({ title: `Saved ${count}`, content: passage(random) });
    }
    const savesPerSecond = SAVES / ((performance.now() - startedAt) / 1_000);
    const p95 = durations.sort((a, b) => a - b)[Math.floor(searches * 0.95)] ?? NaN;
    return { database: name, passages, savesPerSecond, searchP50Ms: median(durations), searchP95Ms: p95 };
  } finally {
    await database.destroy();
  }
}

async function fill(knowledge: KnowledgeService, random: Random, passages: number): Promise<void> {
  for (let number = 0; number < passages / PASSAGES_PER_DOCUMENT; number += 1) {
    const sections = Array.from({ length: PASSAGES_PER_DOCUMENT }, () => `## ${word(random)}\n\n${passage(random)}`);
    await knowledge.save({ title: `${word(random)} ${word(random)} ${number}`, content: sections.join('\n\n') });
  }
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

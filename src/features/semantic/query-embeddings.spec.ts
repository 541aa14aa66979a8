import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { settingsOn } from '../../platform/config/testing.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { recordedEvents } from '../../platform/events/testing.js';
import type { Lack } from '../../platform/text/search-lacks.rules.js';
import { BuiltinModel } from './models/builtin-model.service.js';
import { type Embedding, toEmbedding } from './models/embedding.rules.js';
import type { EmbeddingModel } from './models/embedding-model.js';
import { BuiltinModelBusy, BuiltinModelFailed, EmbeddingsRefused } from './models/semantic.errors.js';
import { QueryEmbeddings } from './query-embeddings.service.js';
import { semanticOn } from './testing.js';

const FOUND = toEmbedding([1, 0]);

/** A model that fails on demand, and counts its requests. */
class ToldModel implements EmbeddingModel {
  readonly space = 'told';
  readonly isBuiltin = true;
  readonly textsAtOnce = 1;
  readonly unrelatedBelow = null;
  problem: string | null = null;
  failure: Error | null = null;
  asked = 0;
  /** In characters; it refuses longer texts. */
  longest = Infinity;

  async embed(texts: readonly string[]): Promise<(Embedding | null)[]> {
    this.asked += 1;
    if (this.failure) throw this.failure;
    if (texts.some((text) => text.length > this.longest)) throw new EmbeddingsRefused('http://told', 413, 'too long');
    return [FOUND];
  }
}

describe('the embeddings of queries', () => {
  let model: ToldModel;
  let queries: QueryEmbeddings;
  beforeAll(() => void Logger.overrideLogger(false));
  beforeEach(async () => {
    const { events } = recordedEvents();
    const settings = await settingsOn({ database: await memoryDatabase(), events });
    const { models } = semanticOn({ database: await memoryDatabase(), settings, events });
    model = new ToldModel();
    queries = new QueryEmbeddings(models);
  });

  async function find(query: string, now = 0) {
    const lacks = new Set<Lack>();
    const embedding = await queries.find(model, query, lacks, now);
    return { found: embedding !== null, lacks: [...lacks] };
  }

  it('are asked for once, and lack nothing', async () => {
    expect(await find('whales')).toEqual({ found: true, lacks: [] });
    expect(await find('whales')).toEqual({ found: true, lacks: [] });
    expect([model.asked, queries.problem(0)]).toEqual([1, null]);
  });

  it('are not asked for while the built-in model is busy, such as to load, and at once when it is free', async () => {
    const free = Promise.withResolvers<void>();
    model.failure = new BuiltinModelBusy(3_000, free.promise);
    expect(await find('whales')).toEqual({ found: false, lacks: ['model-busy'] });
    expect(await find('whales', 3_600_000)).toEqual({ found: false, lacks: ['model-busy'] });
    expect([model.asked, queries.problem(3_600_000)]).toEqual([1, 'The built-in model did not answer within 3000 ms.']);
    model.failure = null;
    free.resolve();
    await free.promise;
    expect(await find('whales', 1)).toEqual({ found: true, lacks: [] });
    expect(queries.problem(1)).toBeNull();
  });

  it('are asked for again half a minute after a failure', async () => {
    model.failure = new BuiltinModelFailed('it crashed');
    expect(await find('whales')).toEqual({ found: false, lacks: ['model-failed'] });
    expect(await find('sharks', 29_999)).toEqual({ found: false, lacks: ['model-failed'] });
    // The second time with another text: the first one may have been the cause.
    expect([model.asked, queries.problem(29_999)]).toEqual([2, 'The built-in model failed: it crashed.']);
    model.failure = null;
    expect(await find('sharks', 30_000)).toEqual({ found: true, lacks: [] });
  });

  it('are of the beginning of a query that the model refuses, which stays on for all', async () => {
    model.longest = 400;
    expect(await find('roads and wheels '.repeat(60))).toEqual({ found: true, lacks: [] });
    expect(queries.problem(0)).toBeNull();
    model.longest = 5; // refuses short queries for another reason than their length
    expect(await find('whales')).toEqual({ found: false, lacks: [] });
    expect(await find('fish')).toEqual({ found: true, lacks: [] });
  });

  it('are asked for again in time after the clock was set back', async () => {
    jest.useFakeTimers();
    try {
      model.failure = new BuiltinModelFailed('it crashed');
      await queries.find(model, 'whales');
      model.failure = null;
      jest.setSystemTime(Date.now() - 86_400_000);
      jest.advanceTimersByTime(30_000);
      expect(await queries.find(model, 'whales')).toEqual(FOUND);
      expect(queries.problem()).toBeNull();
    } finally {
      jest.useRealTimers();
    }
  });

  it('lack the model when it cannot be used', async () => {
    model.problem = 'It is not installed.';
    expect(await find('whales')).toEqual({ found: false, lacks: ['model-failed'] });
    expect(model.asked).toBe(0);
  });
});

describe('the built-in model', () => {
  class CountedModel extends BuiltinModel {
    asked: string[] = [];

    override async embed(texts: readonly string[]): Promise<null[]> {
      this.asked.push(...texts);
      return texts.map(() => null);
    }
  }

  it('is loaded when the service starts with it, and when it is switched on', async () => {
    const { events } = recordedEvents();
    const database = await memoryDatabase();
    const settings = await settingsOn({ database, events });
    const builtin = new CountedModel();
    const { models } = semanticOn({ database, settings, events, builtin });
    const queries = new QueryEmbeddings(models);
    queries.onApplicationBootstrap();
    expect(builtin.asked).toEqual([]);
    await settings.set('knowledge.embeddings', 'builtin');
    const switchedOn = builtin.asked.length;
    expect(switchedOn).toBeGreaterThan(0);
    queries.onApplicationBootstrap();
    expect(builtin.asked.length).toBe(switchedOn + 1);
  });
});

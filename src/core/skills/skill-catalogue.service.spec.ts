import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Skill, type SkillHandler } from '#skill-kit';
import { Random } from '../../../test/fuzz/random.js';
import type { Database } from '../../platform/database/database.js';
import { describeEachDatabase, memoryDatabase } from '../../platform/database/testing.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { SkillCatalogue } from './skill-catalogue.service.js';
import { type SkillState, SkillStateStore } from './skill-state.store.js';
import { SkillRegistry } from './skill.registry.js';
import { SkillNotFound } from './skills.errors.js';

function skill(name: string, description = 'Says hello.'): SkillHandler {
  @Skill({ name, description, annotations: { readOnlyHint: true } })
  class Handler implements SkillHandler {
    execute() {
      return 'hello';
    }
  }
  return new Handler();
}

async function newCatalogue(database?: Database) {
  const { events, sent } = recordedEvents();
  const registry = new SkillRegistry(events);
  const catalogue = new SkillCatalogue(registry, new SkillStateStore(database ?? (await memoryDatabase())), events);
  await catalogue.onModuleInit();
  return { catalogue, registry, sent };
}

describe('SkillCatalogue', () => {
  it('describes registered skills, which are enabled by default', async () => {
    const { catalogue, registry } = await newCatalogue();
    registry.register(skill('hello'));
    expect(catalogue.list()).toEqual([
      {
        name: 'hello',
        title: null,
        description: 'Says hello.',
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
        outputSchema: null,
        annotations: { readOnlyHint: true },
        enabled: true,
        timeoutMs: null,
        maxResultBytes: null,
        warnings: [],
      },
    ]);
    expect(() => catalogue.get('bye')).toThrow(SkillNotFound);
  });

  it('disables a skill at once and sends an event', async () => {
    const { catalogue, registry, sent } = await newCatalogue();
    registry.register(skill('hello'));
    sent.length = 0;
    expect(await catalogue.update('hello', { enabled: false })).toMatchObject({ enabled: false });
    await catalogue.update('hello', { enabled: false });
    expect(catalogue.isEnabled('hello')).toBe(false);
    expect(sent).toEqual([['skills.changed', { names: ['hello'] }]]);
    await expect(catalogue.update('bye', { enabled: false })).rejects.toThrow(SkillNotFound);
  });

  it('remembers after a restart what is disabled, even for a skill that is registered later', async () => {
    const database = await memoryDatabase();
    const before = await newCatalogue(database);
    before.registry.register(skill('hello'));
    await before.catalogue.update('hello', { enabled: false });
    const after = await newCatalogue(database);
    after.registry.register(skill('hello'));
    expect(after.catalogue.get('hello').enabled).toBe(false);
    await after.catalogue.update('hello', { enabled: true });
    expect((await newCatalogue(database)).catalogue.isEnabled('hello')).toBe(true);
  });

  it('notifies other replicas of new limits, but no clients', async () => {
    const { catalogue, registry, sent } = await newCatalogue();
    registry.register(skill('hello'));
    sent.length = 0;
    expect(await catalogue.update('hello', { timeoutMs: 5 })).toMatchObject({ timeoutMs: 5, maxResultBytes: null });
    await catalogue.update('hello', { timeoutMs: 5 });
    expect(catalogue.get('hello')).toMatchObject({ enabled: true, timeoutMs: 5 });
    expect(sent).toEqual([['skill.limits_changed', { name: 'hello' }]]);
  });

  it('keeps the newer state when two reloads overlap', async () => {
    const { catalogue, registry } = await newCatalogue();
    registry.register(skill('hello'));
    const older = Promise.withResolvers<Map<string, SkillState>>();
    const newer = new Map([['hello', { enabled: false, timeoutMs: null, maxResultBytes: null }]]);
    const list = jest.spyOn(SkillStateStore.prototype, 'list');
    list.mockReturnValueOnce(older.promise).mockResolvedValueOnce(newer);
    const reloads = Promise.all([catalogue.reload(), catalogue.reload()]);
    await nextTurn();
    older.resolve(new Map());
    await reloads;
    list.mockRestore();
    expect(catalogue.isEnabled('hello')).toBe(false);
  });

  it('logs the warnings about each skill once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { catalogue, registry } = await newCatalogue();
    registry.register(skill('hello', ''));
    await catalogue.update('hello', { enabled: false });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('skill hello: the description is missing')]]);
    warn.mockRestore();
  });
});

describeEachDatabase('the state of skills', (open) => {
  const NAMES = ['a', 'b', 'c'] as const;

  it.each([1, 2, 3])('is the same on two replicas and after restarts, with seed %d', async (seed) => {
    const random = new Random(seed);
    const database = await open();
    const replica = async () => {
      const made = await newCatalogue(database);
      made.registry.register(...NAMES.map((name) => skill(name)));
      return made;
    };
    const replicas = [await replica(), await replica()];
    const model = new Map<string, SkillState>(
      NAMES.map((name) => [name, { enabled: true, timeoutMs: null, maxResultBytes: null }]),
    );
    const limit = () => (random.chance(0.3) ? null : random.integer(1, 2_000_000));
    for (let step = 0; step < 60; step += 1) {
      const number = random.integer(0, 2);
      const name = random.pick(NAMES);
      const change: Partial<SkillState> = {
        ...(random.chance(0.5) && { enabled: random.chance(0.5) }),
        ...(random.chance(0.5) && { timeoutMs: limit() }),
        ...(random.chance(0.5) && { maxResultBytes: limit() }),
      };
      if (random.chance(0.1)) replicas[number] = await replica();
      else {
        // A reload that starts before the change may read the old state.
        const catalogue = replicas[number]?.catalogue;
        await Promise.all([catalogue?.reload(), catalogue?.update(name, change), catalogue?.reload()]);
        model.set(name, { ...(model.get(name) as SkillState), ...change });
      }
      const other = replicas[1 - number];
      if (other) other.sent.length = 0;
      await other?.catalogue.reload();
      const wasToldToClients = other?.sent.some(([event]) => event === 'skills.changed' || event.startsWith('skill.'));
      for (const { catalogue } of replicas)
        for (const [known, state] of model) expect(catalogue.get(known)).toMatchObject(state);
      if (change.enabled === undefined) expect(wasToldToClients).toBe(false);
    }
  });
});

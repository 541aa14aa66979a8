import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Skill, type SkillHandler } from '#skill-kit';
import type { Database } from '../database/database.js';
import { memoryDatabase } from '../database/testing.js';
import { recordedEvents } from '../events/testing.js';
import { SkillCatalogue } from './skill-catalogue.service.js';
import { SkillStateStore } from './skill-state.store.js';
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
        warnings: [],
      },
    ]);
    expect(() => catalogue.get('bye')).toThrow(SkillNotFound);
  });

  it('disables a skill at once and sends an event', async () => {
    const { catalogue, registry, sent } = await newCatalogue();
    registry.register(skill('hello'));
    sent.length = 0;
    expect(await catalogue.setEnabled('hello', false)).toMatchObject({ enabled: false });
    await catalogue.setEnabled('hello', false);
    expect(catalogue.isEnabled('hello')).toBe(false);
    expect(sent).toEqual([['skills.changed', { names: ['hello'] }]]);
    await expect(catalogue.setEnabled('bye', false)).rejects.toThrow(SkillNotFound);
  });

  it('remembers after a restart what is disabled, even for a skill that is registered later', async () => {
    const database = await memoryDatabase();
    const before = await newCatalogue(database);
    before.registry.register(skill('hello'));
    await before.catalogue.setEnabled('hello', false);
    const after = await newCatalogue(database);
    after.registry.register(skill('hello'));
    expect(after.catalogue.get('hello').enabled).toBe(false);
    await after.catalogue.setEnabled('hello', true);
    expect((await newCatalogue(database)).catalogue.isEnabled('hello')).toBe(true);
  });

  it('lists pages in alphabetical order, and finds skills by name and description', async () => {
    const { catalogue, registry } = await newCatalogue();
    registry.register(skill('c'), skill('a'), skill('b', 'Says GOODBYE.'));
    const first = catalogue.listPage({ limit: 2 });
    const second = catalogue.listPage({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([first.items.map(({ name }) => name), second.items.map(({ name }) => name)]).toEqual([['a', 'b'], ['c']]);
    expect(second.nextCursor).toBeNull();
    expect(catalogue.listPage({ limit: 9, q: 'goodbye' }).items.map(({ name }) => name)).toEqual(['b']);
  });

  it('logs the warnings about each skill once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { catalogue, registry } = await newCatalogue();
    registry.register(skill('hello', ''));
    await catalogue.setEnabled('hello', false);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('skill hello: the description is missing')]]);
    warn.mockRestore();
  });
});

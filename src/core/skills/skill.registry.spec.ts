import { defineSkill, InvalidSkill, Skill, type SkillDefinition, type SkillHandler } from '#skill-kit';
import { choicesOf, Random } from '../../../test/fuzz/random.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { SkillRegistry } from './skill.registry.js';

const STEPS = 200;
const NAMES = ['alpha', 'beta', 'gamma', 'delta'] as const;

function handlerOf(name: string): SkillHandler {
  @Skill({ name, description: `Use this for ${name}.` })
  class Handler implements SkillHandler {
    execute() {
      return name;
    }
  }
  return new Handler();
}

const newRegistry = () => {
  const { events, sent } = recordedEvents();
  return { registry: new SkillRegistry(events), events, sent };
};

const namesIn = (registry: SkillRegistry): string[] => registry.list().map(({ name }) => name);

describe('SkillRegistry', () => {
  it.each<[string, SkillHandler[]]>([
    ['two have the same name', ['alpha', 'beta', 'alpha'].map(handlerOf)],
    ['the name of one is taken', ['beta', 'taken', 'gamma'].map(handlerOf)],
    ['one is invalid', ['alpha', 'no name', 'beta'].map(handlerOf)],
  ])('registers none of several skills when %s', (_why, handlers) => {
    const { registry, sent } = newRegistry();
    registry.register(handlerOf('taken'));
    expect(() => registry.register(...handlers)).toThrow(InvalidSkill);
    expect([namesIn(registry), sent.length]).toEqual([['taken'], 1]);
    expect(registry.find('alpha')).toBeUndefined();
  });

  it('accepts no unchecked definition, and replaces nothing with one', () => {
    const { registry, sent } = newRegistry();
    registry.register(handlerOf('before'));
    const definition = defineSkill(handlerOf('alpha'));
    const changed: SkillDefinition[] = [
      { ...definition, name: 'no name' },
      { ...definition, inputSchema: { type: 'array' } },
    ];
    for (const unchecked of changed) {
      expect(() => registry.add([definition, unchecked])).toThrow('is not checked');
      const replacement = { removed: ['before'], added: [definition, unchecked], isFromElsewhere: false };
      expect(() => registry.replace(replacement)).toThrow('make its definition by defineSkill');
    }
    expect([namesIn(registry), sent.length]).toEqual([['before'], 1]);
  });

  it('has changed though a listener fails', () => {
    const { registry, events, sent } = newRegistry();
    events.on('skills.changed', () => {
      throw new Error('deaf');
    });
    registry.register(handlerOf('alpha'));
    expect([namesIn(registry), sent]).toEqual([['alpha'], [['skills.changed', { names: ['alpha'] }]]]);
  });

  it.each([1, 2, 3, 4, 5])(
    'holds what was added and not removed, whatever was rejected in between (seed %d)',
    (seed) => {
      const { registry, sent } = newRegistry();
      const [random, pick] = [new Random(seed), choicesOf(seed)];
      const model = new Map<string, SkillDefinition>();
      const some = () => Array.from({ length: random.integer(0, 4) }, () => pick(NAMES));
      for (let step = 0; step < STEPS; step += 1) {
        const before = sent.length;
        const removed = some();
        const added = some().map((name) => defineSkill(handlerOf(name)));
        const told = new Set<string>();
        switch (pick(['add', 'remove', 'replace'])) {
          case 'add': {
            const names = added.map(({ name }) => name);
            const fits = new Set(names).size === names.length && !names.some((name) => model.has(name));
            if (!fits) {
              expect(() => registry.add(added)).toThrow('is taken');
              break;
            }
            registry.add(added);
            for (const skill of added) model.set(skill.name, skill);
            names.forEach((name) => told.add(name));
            break;
          }
          case 'remove':
            registry.remove(...removed);
            for (const name of removed) if (model.delete(name)) told.add(name);
            break;
          case 'replace': {
            const refused = registry.replace({ removed, added, isFromElsewhere: false });
            for (const name of removed) if (model.delete(name)) told.add(name);
            const taken: SkillDefinition[] = [];
            for (const skill of added) {
              if (model.has(skill.name)) taken.push(skill);
              else model.set(skill.name, skill);
              told.add(skill.name);
            }
            expect([...refused.keys()]).toEqual(taken);
          }
        }
        expect(registry.list()).toEqual([...model.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
        for (const name of NAMES) expect(registry.find(name)).toBe(model.get(name));
        const events = sent.slice(before).map(([, event]) => new Set((event as { names: string[] }).names));
        expect(events).toEqual(told.size > 0 ? [told] : []);
      }
    },
  );
});

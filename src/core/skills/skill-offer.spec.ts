import { defineSkill } from '#skill-kit';
import { recordedEvents } from '../../platform/events/testing.js';
import { SkillOffer } from './skill-offer.js';
import { SkillRegistry } from './skill.registry.js';
import { skillOf } from './testing.js';

describe('an offer of skills', () => {
  const { events, sent } = recordedEvents();
  const registry = new SkillRegistry(events);
  const refusals: string[] = [];
  const offer = new SkillOffer(registry, events, ({ message }) => refusals.push(message));
  const [find, read, other] = ['find', 'read', 'find'].map((name) => defineSkill(skillOf({ name })));
  if (!find || !read || !other) throw new Error('they are defined');

  it('leaves names to others that have them, also when it ends', () => {
    registry.add([other]);
    offer.replace([find, read], false);
    expect(registry.list()).toEqual([other, read]);
    expect(refusals).toEqual([expect.stringContaining('find is taken')]);
    offer.replace([], false);
    expect(registry.list()).toEqual([other]);
  });

  it('gets a name as soon as it is free, and notifies clients once', () => {
    offer.replace([find, read], false);
    sent.length = 0;
    registry.remove('find');
    expect(registry.list()).toEqual([find, read]);
    expect(sent).toEqual([
      ['skills.changed', { names: ['find'] }],
      ['skills.changed', { names: ['find'] }],
    ]);
    offer.replace([read], false);
    expect(registry.list()).toEqual([read]);
  });
});

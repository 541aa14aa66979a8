import { recordedEvents } from '../../platform/events/testing.js';
import { type PromptDefinition, PromptRegistry } from './prompt.registry.js';

const promptOf = (name: string, description = 'Reviews.'): PromptDefinition => ({
  name,
  description,
  get: async () => [],
});

describe('PromptRegistry', () => {
  it('lists prompts by name, in whatever order they are registered', () => {
    const registry = new PromptRegistry(recordedEvents().events);
    registry.register(promptOf('b'), promptOf('d'));
    registry.register(promptOf('c'), promptOf('a'));
    expect(registry.list().map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('finds a prompt by its name, and nothing by another', () => {
    const registry = new PromptRegistry(recordedEvents().events);
    const [review, plan] = [promptOf('review'), promptOf('plan')];
    registry.register(review, plan);
    expect(registry.find('review')).toBe(review);
    expect(registry.find('plan')).toBe(plan);
    expect(registry.find('Review')).toBeUndefined();
    expect(registry.find('toString')).toBeUndefined();
  });

  it('replaces a prompt by a new one of the same name', () => {
    const registry = new PromptRegistry(recordedEvents().events);
    registry.register(promptOf('review', 'Old.'));
    registry.register(promptOf('review', 'New.'));
    expect(registry.list()).toMatchObject([{ name: 'review', description: 'New.' }]);
  });

  it('notifies once of all prompts that are registered together, when they can be found', () => {
    const { events, sent } = recordedEvents();
    const registry = new PromptRegistry(events);
    const found: unknown[] = [];
    events.on('prompts.changed', () => void found.push(registry.list().length));
    registry.register(promptOf('review'), promptOf('plan'));
    expect(sent).toEqual([['prompts.changed', {}]]);
    expect(found).toEqual([2]);
  });
});

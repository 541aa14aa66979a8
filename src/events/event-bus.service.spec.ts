import { recordedEvents } from './testing.js';

describe('EventBus', () => {
  it('calls the other listeners when one fails', () => {
    const { events } = recordedEvents();
    const heard: string[] = [];
    events.on('prompts.changed', () => {
      throw new Error('no');
    });
    const stop = events.on('prompts.changed', () => void heard.push('second'));
    events.emit('prompts.changed', {});
    stop();
    events.emit('prompts.changed', {});
    expect(heard).toEqual(['second']);
  });
});

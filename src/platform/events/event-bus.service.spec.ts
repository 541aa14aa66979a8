import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { recordedEvents } from './testing.js';

describe('EventBus', () => {
  it('calls the other listeners when one fails, and logs which event it was', () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
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
    const failed = [{ err: new Error('no'), event: 'prompts.changed' }, 'A listener failed'];
    expect(log.mock.calls).toEqual([failed, failed]);
    log.mockRestore();
  });
});

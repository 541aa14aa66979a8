import { CallNotStarted, Thread } from './module-thread.js';

describe('a call of a thread that no longer responds', () => {
  const handlers = { request: () => Promise.reject(new Error('nothing to ask')), progress: () => undefined };
  const begin = (thread: Thread) => {
    const id = thread.begin(handlers);
    thread.sent(id);
    return id;
  };
  const outcomeAfter = (thread: Thread) => {
    const id = begin(thread);
    const outcome = thread.outcomeOf(id);
    thread.failThoseBehind(new CallNotStarted('busy'));
    thread.settle(id, 'done');
    return outcome;
  };

  it('has not started when it was sent after a cancelled one that the thread has not noticed', async () => {
    const thread = new Thread('m');
    thread.cancel(begin(thread), new Error('enough'));
    await expect(outcomeAfter(thread)).rejects.toThrow('busy');
  });

  it('may have started when the cancelled one was never sent', async () => {
    const thread = new Thread('m');
    const early = thread.begin(handlers);
    expect(thread.cancel(early, new Error('enough'))).toBe(false);
    thread.end(early);
    expect(await outcomeAfter(thread)).toBe('done');
  });

  it('may have started when the cancelled one had just returned', async () => {
    const thread = new Thread('m');
    const ended = begin(thread);
    thread.cancel(ended, new Error('enough'));
    thread.end(ended);
    thread.settle(ended, 'done');
    expect(await outcomeAfter(thread)).toBe('done');
  });
});

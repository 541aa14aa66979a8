import { memoryStorage } from './memory-storage.js';
import { callOf, openSession as open, startEndpoint, type TestEndpoint, until } from './testing.js';

const FULL = new Error('the disk is full');

describe('an endpoint whose storage fails', () => {
  let server: TestEndpoint;
  const storage = () => server.storage;

  beforeEach(async () => {
    server = await startEndpoint({ storage: memoryStorage(), timing: { journalWithinMs: 50, readWithinMs: 50 } });
  });
  afterEach(() => server.stop());

  const openSession = () => open(server, '2025-11-25', { headers: { accept: 'text/event-stream' } });
  const call = (name: string, args: object = {}) => callOf(name, args, 7);

  it.each(['open', 'append', 'finish'] as const)('answers on a stream when the journal cannot %s', async (step) => {
    const session = await openSession();
    storage().journal[step] = async () => Promise.reject(FULL);
    const res = await server.post(call('echo', { a: 1 }), session);
    const text = await res.text();
    expect(res.status).toBe(200);
    expect(text).toContain('"id":7');
    expect(text).toContain('{\\"a\\":1}');
    expect(server.failures).toEqual([FULL]);
    expect(server.endpoint.counts().calls).toBe(0);
  });

  it.each(['open', 'append', 'finish'] as const)(
    'answers on a stream when the journal never ends to %s',
    async (step) => {
      const session = await openSession();
      storage().journal[step] = () => new Promise<void>(() => undefined);
      const text = await (await server.post(call('echo', { a: 1 }), session)).text();
      expect(text).toContain('{\\"a\\":1}');
      expect(server.failures).toEqual([
        expect.objectContaining({ message: expect.stringContaining('not recorded') as unknown }),
      ]);
    },
  );

  it('does not wait for a journal again that has failed before', async () => {
    await server.stop();
    server = await startEndpoint({ storage: memoryStorage(), timing: { journalWithinMs: 60_000 } });
    const session = await openSession();
    storage().journal.append = async () => Promise.reject(FULL);
    const finished = Promise.withResolvers<void>();
    storage().journal.finish = () => finished.promise;
    expect(await (await server.post(call('echo'), session)).text()).toContain('"id":7');
    finished.resolve();
  });

  it('gives no event id to resume from to what it did not record', async () => {
    const session = await openSession();
    storage().journal.open = async () => Promise.reject(FULL);
    expect(await (await server.post(call('echo'), session)).text()).not.toMatch(/^id:/m);
  });

  it('sends progress and answer though the journal fails in between, and says so once', async () => {
    const session = await openSession();
    const streaming = server.post(call('progress'), session);
    await until(() => server.endpoint.counts().calls === 1);
    const res = await streaming;
    storage().journal.append = async () => Promise.reject(FULL);
    server.release();
    const text = await res.text();
    expect(text).toContain('notifications/progress');
    expect(text).toContain('progress done');
    expect(server.failures).toEqual([FULL]);
  });

  it('keeps the connection of a call that wants to release it, when it could not be resumed', async () => {
    const session = await openSession();
    storage().journal.open = async () => Promise.reject(FULL);
    const res = server.post(call('detach'), session);
    await until(() => server.endpoint.counts().calls === 1);
    setTimeout(() => server.release(), 30);
    expect(await (await res).text()).toContain('detach done');
  });

  it('aborts the call when the connection breaks that could not be resumed', async () => {
    const session = await openSession();
    storage().journal.open = async () => Promise.reject(FULL);
    const res = await server.post(call('progress'), session);
    await until(() => server.failures.length === 1);
    await res.body?.cancel();
    await until(() => server.aborted.includes('progress'));
  });

  it('ends a stream that it cannot open properly, so that its client reconnects', async () => {
    const session = await openSession();
    storage().changes.after = async () => Promise.reject(FULL);
    const res = await fetch(server.url, { headers: session });
    expect(res.status).toBe(200);
    expect(await res.text()).not.toContain('jsonrpc');
    expect(server.failures).toEqual([FULL]);
  });

  const failing = {
    fails: async () => Promise.reject(FULL),
    'does not answer': () => new Promise<never>(() => undefined),
  };

  describe.each([
    ['find', { status: 503, retryAfter: '1' }],
    // The stream has started: it ends at its first event, so that the client reconnects with the same event id.
    ['after', { status: 200, retryAfter: null }],
  ] as const)('that cannot %s in the journal', (step, { status, retryAfter }) => {
    it.each(Object.entries(failing))('has the client resume later when the journal %s', async (_how, fail) => {
      const session = await openSession();
      const primer = /^id: (.*)$/m.exec(await (await server.post(call('echo'), session)).text())?.[1] ?? '';
      const resume = () => fetch(server.url, { headers: { ...session, 'last-event-id': primer } });
      const works = { ...storage().journal };
      Object.assign(storage().journal, { [step]: fail });
      const refused = await resume();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([status, retryAfter]);
      const body = await refused.text();
      if (step === 'after') expect(body).toContain(`id: ${primer}\ndata: \n\nretry: 1000\n\n`);
      else expect(JSON.parse(body)).toMatchObject({ id: null, error: { code: -32000 } });
      expect(server.failures).toHaveLength(1);
      Object.assign(storage().journal, works);
      expect(await (await resume()).text()).toContain('"id":7');
    });
  });

  it.each(Object.entries(failing))(
    'has the client of a running call resume later when the journal %s',
    async (_how, fail) => {
      const session = await openSession();
      const primer = /^id: (.*)$/m.exec(await (await server.post(call('detach'), session)).text())?.[1] ?? '';
      const resume = async () => (await fetch(server.url, { headers: { ...session, 'last-event-id': primer } })).text();
      const { journal } = storage();
      const works = { ...journal };
      // The call is in memory, so it is not looked up in the journal.
      Object.assign(journal, { after: fail, find: fail });
      expect(await resume()).toContain(`id: ${primer}\ndata: \n\nretry: 1000\n\n`);
      expect([server.failures.length, server.aborted]).toEqual([1, []]);
      Object.assign(journal, works);
      server.release();
      expect(await resume()).toContain('detach done');
    },
  );

  it('keeps the answer to a call that nobody is connected to when it cannot be recorded', async () => {
    const session = await openSession();
    const primer = /^id: (.*)$/m.exec(await (await server.post(call('detach'), session)).text())?.[1] ?? '';
    storage().journal.append = async () => Promise.reject(FULL);
    server.release();
    await until(() => server.failures.length === 1);
    const resumed = await fetch(server.url, { headers: { ...session, 'last-event-id': primer } });
    expect(await resumed.text()).toContain('detach done');
    await until(() => server.endpoint.counts().calls === 0);
  });
});

import { numbersBelow } from '../../../test/fuzz/random.js';
import { Processes } from './processes.testing.js';
import { openSession as open, type TestEndpoint, until } from './testing.js';

type Headers = Record<string, string>;
type Message = Record<string, unknown>;

describe('processes that share their sessions', () => {
  let processes: Processes;
  let [one, other]: TestEndpoint[] = [];

  const begin = async (timing: ConstructorParameters<typeof Processes>[0] = {}) => {
    processes = new Processes(timing);
    [one, other] = [await processes.start(), await processes.start()];
  };
  beforeEach(() => begin());
  afterEach(() => processes.stop());

  const at = (server: TestEndpoint | undefined): TestEndpoint => {
    if (!server) throw new Error('it did not start');
    return server;
  };
  const post = (server: TestEndpoint | undefined, message: Message, headers: Headers = {}, signal?: AbortSignal) =>
    at(server).post({ jsonrpc: '2.0', ...message }, headers, signal);
  const request = (method: string, params: Message = {}, id: number | string = 1) => ({ id, method, params });
  const call = (name: string, args: Message = {}) => request('tools/call', { name, arguments: args }, 'the call');

  async function openSession(): Promise<Headers> {
    const session = await open(at(one), '2025-11-25', { capabilities: { elicitation: {} } });
    // Loads the session into the memory of both.
    for (const server of [one, other]) await post(server, { method: 'notifications/initialized' }, session);
    return session;
  }

  /** Reads a stream in the background. */
  async function listen(server: TestEndpoint | undefined, headers: Headers) {
    const abort = new AbortController();
    const res = await fetch(at(server).url, { headers, signal: abort.signal });
    return { res, ...readAll(res), close: () => abort.abort() };
  }

  function readAll(res: Response) {
    const heard: Message[] = [];
    const ids: string[] = [];
    const ended = (async () => {
      let text = '';
      for await (const chunk of res.body ?? []) {
        text += Buffer.from(chunk as Uint8Array).toString();
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const id = /^id: (.*)$/m.exec(block)?.[1];
          const data = /^data: (\{.*)$/m.exec(block)?.[1];
          if (id !== undefined) ids.push(id);
          if (data !== undefined) heard.push(JSON.parse(data) as Message);
        }
      }
    })().catch(() => undefined);
    return { heard, ids, ended };
  }

  it('learn of subscriptions and of their end from each other', async () => {
    const session = await openSession();
    const { heard } = await listen(one, session);
    await post(other, request('resources/subscribe', { uri: 'a:1' }), session);
    await post(one, request('resources/subscribe', { uri: 'a:2' }), session);
    for (const uri of ['a:1', 'a:2', 'a:3']) await processes.publish(1, uri);
    await until(() => heard.length === 2);
    expect(heard.map(({ params }) => (params as Message)['uri'])).toEqual(['a:1', 'a:2']);
    await post(other, request('resources/unsubscribe', { uri: 'a:2' }), session);
    for (const uri of ['a:2', 'a:1']) await processes.publish(0, uri);
    await until(() => heard.length > 2);
    expect(heard.slice(2).map(({ params }) => (params as Message)['uri'])).toEqual(['a:1']);
  });

  it('keep the subscriptions that several of them add at once', async () => {
    const session = await openSession();
    const uris = Array.from({ length: 60 }, (_, index) => `a:${index}`);
    await Promise.all(
      uris.map((uri, index) => post(index % 2 ? one : other, request('resources/subscribe', { uri }), session)),
    );
    const stored = await processes.storage.sessions.find(session['mcp-session-id'] ?? '');
    expect(stored?.subscriptions.toSorted()).toEqual(uris.toSorted());
    const { heard } = await listen(one, session);
    for (const uri of uris) await processes.publish(1, uri);
    await until(() => heard.length === uris.length);
  });

  /** Opens a stream, and runs `happens` while the session is read again for it. */
  async function listenWhile(session: Headers, happens: () => Promise<unknown>) {
    const { sessions } = processes.storage;
    const works = { ...sessions };
    const gate = Promise.withResolvers<void>();
    let isRead = false;
    sessions.listByIds = async (ids) => {
      const records = await works.listByIds(ids);
      if (isRead) return records;
      isRead = true;
      await gate.promise;
      return records;
    };
    const opening = listen(one, session);
    await until(() => isRead);
    await happens();
    gate.resolve();
    return opening;
  }

  it('keep what a client subscribes to while its session is read again', async () => {
    const session = await openSession();
    const { heard } = await listenWhile(session, () =>
      post(one, request('resources/subscribe', { uri: 'a:1' }), session),
    );
    await processes.publish(0, 'a:1');
    await until(() => heard.length === 1);
    expect(heard).toMatchObject([{ params: { uri: 'a:1' } }]);
  });

  it('keep the log level that a client sets while its session is read again', async () => {
    const session = await openSession();
    const setLevel = (level: string) => post(one, request('logging/setLevel', { level }), session);
    await setLevel('debug');
    await listenWhile(session, () => setLevel('error'));
    expect(await (await post(one, call('log'), session)).text()).not.toContain('said');
  });

  it('notify a session exactly of its subscriptions, through random subscriptions, streams and losses', async () => {
    const session = await openSession();
    const watched = new Set<string>();
    const random = numbersBelow(12_345);
    let stream = await listen(one, session);
    const told = () => stream.heard.map(({ params }) => (params as Message)['uri']);
    /** Waits until everything published so far has been sent. Returns what has arrived since the last call. */
    const news = async () => {
      await processes.publish(0, 'a:mark');
      const latest = await processes.storage.changes.latest();
      await until(() => stream.ids.includes(`get.${latest}`));
      const found = told().filter((uri) => uri !== 'a:mark');
      stream.heard.splice(0);
      return found;
    };
    await post(one, request('resources/subscribe', { uri: 'a:mark' }), session);
    for (let step = 0; step < 300; step += 1) {
      const [server, uri] = [random(2) ? one : other, `a:${random(4)}`];
      processes.isCut = random(4) === 0;
      switch (random(4)) {
        case 0:
          watched.add(uri);
          await post(server, request('resources/subscribe', { uri }), session);
          break;
        case 1:
          watched.delete(uri);
          await post(server, request('resources/unsubscribe', { uri }), session);
          break;
        case 2: {
          stream.close();
          await stream.ended;
          stream = await listen(server, session);
          await news(); // skips repeated events, of which the storage does not know that the client has them
          break;
        }
        default: {
          if (processes.isCut) await processes.catchUp();
          await processes.publish(random(2), uri);
          expect([step, ...(await news())]).toEqual([step, ...(watched.has(uri) ? [uri] : [])]);
        }
      }
      if (processes.isCut) await processes.catchUp();
      processes.isCut = false;
    }
    stream.close();
  });

  it('forward what the client cancels, and what it answers', async () => {
    const session = await openSession();
    const cancelled = post(one, call('wait'), session);
    await until(() => at(one).endpoint.counts().calls === 1);
    await post(other, { method: 'notifications/cancelled', params: { requestId: 'the call' } }, session);
    expect((await cancelled).status).toBe(202);
    expect(at(one).aborted).toEqual(['wait']);

    const asking = readAll(await post(one, call('ask'), session));
    await until(() => asking.heard.length === 1);
    const answer = { id: asking.heard[0]?.['id'], result: { action: 'accept', content: {} } };
    const foreign = await openSession();
    await post(other, answer, foreign);
    expect(asking.heard).toHaveLength(1);
    await post(other, answer, session);
    await asking.ended;
    expect(asking.heard[1]).toMatchObject({ id: 'the call', result: { content: [{ text: 'accept' }] } });
  });

  it('end a session that another has ended, even without a message', async () => {
    for (const isCut of [false, true]) {
      const session = await openSession();
      const { ended } = await listen(one, session);
      processes.isCut = isCut;
      await fetch(at(other).url, { method: 'DELETE', headers: session });
      processes.isCut = false;
      if (isCut) await processes.catchUp();
      await ended;
      expect((await post(one, request('ping'), session)).status).toBe(404);
      expect((await post(other, request('ping'), session)).status).toBe(404);
    }
  });

  it('refuse a stream for a session that has ended without their knowledge', async () => {
    const session = await openSession();
    processes.isCut = true;
    await fetch(at(other).url, { method: 'DELETE', headers: session });
    expect((await listen(one, session)).res.status).toBe(404);
  });

  it('leave one stream to a session', async () => {
    const session = await openSession();
    const first = await listen(one, session);
    const second = await listen(other, session);
    await first.ended;
    expect([at(one).endpoint.counts().streams, at(other).endpoint.counts().streams]).toEqual([0, 1]);
    second.close();
  });

  it('leave a session its newest stream, also when they hear of an older one late', async () => {
    // A client of this version does not reopen a stream that ends.
    const session = await open(at(one), '2025-06-18');
    const first = await listen(one, session);
    const second = await listen(other, session);
    await first.ended;
    await at(other).endpoint.receive({ kind: 'stream_opened', sessionId: session['mcp-session-id'] ?? '' });
    expect(at(other).endpoint.counts().streams).toBe(1);
    second.close();
  });

  describe('when a client resumes at another process than that of its call', () => {
    /** Starts a call whose connection is closed after its first message; returns the headers for resuming it. */
    async function cutOff(name: string, args: Message = {}): Promise<Headers> {
      const session = await openSession();
      const abort = new AbortController();
      const begun = readAll(await post(one, call(name, args), session, abort.signal));
      await until(() => begun.ids.length > 1);
      abort.abort();
      await begun.ended;
      return { ...session, 'last-event-id': begun.ids[0] ?? '' };
    }

    it('follows the call there to its end, for longer than it would wait', async () => {
      const resumeWithinMs = 2_000;
      await processes.stop();
      await begin({ resumeWithinMs });
      const place = await cutOff('progress');
      const { heard, ended } = await listen(other, place);
      await until(() => heard.length === 1);
      // A call that nobody resumes shows that the time is over: it was disconnected later.
      await cutOff('progress');
      await until(async () => {
        await processes.all[0]?.endpoint.receive({ kind: 'stream_followed', streamId: streamOf(place) });
        return at(one).aborted.length > 0;
      });
      at(one).release();
      await ended;
      expect(heard).toMatchObject([
        { method: 'notifications/progress' },
        { id: 'the call', result: { content: [{ text: 'progress done' }] } },
      ]);
      expect(at(other).endpoint.counts()).toMatchObject({ calls: 0, arriving: 0 });
    });

    it('learns that the call is lost, when its process has died', async () => {
      const place = await cutOff('progress');
      const { heard, ended } = await listen(other, place);
      await until(() => heard.length === 1);
      processes.dead.add('process 0');
      await ended;
      expect(heard[1]).toMatchObject({ id: 'the call', error: { code: -32603 } });
      expect(heard).toHaveLength(2);
    });

    it('learns that the call is lost, when nobody followed it for too long', async () => {
      await processes.stop();
      await begin({ resumeWithinMs: 300 });
      const place = await cutOff('progress');
      await until(() => at(one).aborted.length === 1);
      const { heard, ended } = await listen(other, place);
      await ended;
      expect(heard.at(-1)).toMatchObject({
        id: 'the call',
        error: { code: -32000, message: expect.stringContaining('not resumed') as unknown },
      });
      const again = await listen(one, place);
      await again.ended;
      expect(again.heard.at(-1)).toMatchObject({
        id: 'the call',
        error: { code: -32000, message: expect.stringContaining('not resumed') as unknown },
      });
    });

    it('gets the answer once, when the process died between the answer and its end', async () => {
      const place = await cutOff('progress');
      const answer = { jsonrpc: '2.0', id: 'the call', result: { content: [] } };
      await processes.storage.journal.append(streamOf(place), 2, JSON.stringify(answer));
      processes.dead.add('process 0');
      const { heard, ended } = await listen(other, place);
      await ended;
      expect(heard.filter(({ id }) => id === 'the call')).toEqual([answer]);
    });

    it('is cut off when its key ends', async () => {
      const place = await cutOff('progress');
      const { ended } = await listen(other, place);
      at(other).endpoint.revoke({ client: 'alice' });
      await ended;
    });

    const streamOf = (place: Headers) => place['last-event-id']?.split('.')[0] ?? '';
  });
});

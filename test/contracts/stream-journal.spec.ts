import { SessionStore } from '../../src/access/clients/session.store.js';
import { StreamJournalStore } from '../../src/entrypoints/mcp/stream-journal.store.js';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';

const MB = 1024 * 1024;

interface Ended {
  session?: string;
  /** The size that is reported to the journal: the actual message is short. */
  bytes: number;
  isDelivered?: boolean;
}

describeEachDatabase('the journal of response streams', (open) => {
  let database: Database;
  let journal: StreamJournalStore;

  beforeEach(async () => {
    database = await open();
    journal = new StreamJournalStore(database);
    for (const id of ['a', 'b', 'c']) {
      const program = { protocolVersion: '2025-11-25', initialize: {}, logLevel: null };
      const told = { subscriptions: [], eventSeq: 0, lastSeenAt: new Date() };
      await new SessionStore(database).create({ id, client: 'default', key: null, ...program, ...told });
    }
  });

  const begin = async (id: string, session = 'a') => {
    await journal.open(id, { sessionId: session, requestIds: [1], process: 'p' });
    await journal.append(id, 1, `{"of":"${id}"}`);
  };
  let ended = 0;
  /** Ends streams, one per second; returns their names. */
  const end = async (...streams: Ended[]): Promise<string[]> => {
    const names: string[] = [];
    for (const { session = 'a', bytes, isDelivered = true } of streams) {
      const id = `s${(ended += 1)}`;
      names.push(id);
      await begin(id, session);
      // Written directly: if the journal were notified, it would check its limits at once.
      const finished_at = new Date(Date.UTC(2026, 0, 1) + ended * 1_000).toISOString();
      const stream = { finished: 1, finished_at, bytes, delivered: isDelivered ? 1 : 0 };
      await database.updateTable('mcp_streams').set(stream).where('id', '=', id).execute();
    }
    return names;
  };
  const kept = async (names: readonly string[]): Promise<string[]> => {
    const rows = await database.selectFrom('mcp_streams').select('id').where('id', 'in', names).execute();
    const ids = new Set(rows.map(({ id }) => id));
    return names.filter((name) => ids.has(name));
  };
  const some = (count: number, stream: Ended) => Array.from({ length: count }, () => stream);

  it('keeps a megabyte of what each session was delivered, the last ones', async () => {
    const ofA = await end(...some(6, { bytes: MB / 4 }));
    const ofB = await end(...some(3, { bytes: MB / 2, session: 'b' }));
    await journal.trim();
    expect(await kept(ofA)).toEqual(ofA.slice(-4));
    expect(await kept(ofB)).toEqual(ofB.slice(-2));
    expect(await journal.after(ofA.at(-1) ?? '', 0)).toHaveLength(1);
    expect([await journal.find(ofA[0] ?? ''), await journal.after(ofA[0] ?? '', 0)]).toEqual([null, []]);
  });

  it('keeps four megabytes of what a session was not delivered', async () => {
    const cut = await end(...some(6, { bytes: MB, isDelivered: false }));
    const delivered = await end(...some(2, { bytes: MB }));
    await journal.trim();
    expect(await kept(cut)).toEqual(cut.slice(-4));
    expect(await kept(delivered)).toEqual(delivered.slice(-1));
  });

  it('keeps the last answer of a session, however large it is', async () => {
    const large = await end(...some(2, { bytes: 8 * MB }), ...some(2, { bytes: 8 * MB, isDelivered: false }));
    await journal.trim();
    expect(await kept(large)).toEqual([large[1], large[3]]);
  });

  it('keeps 64 megabytes of all sessions, those that were not delivered first', async () => {
    const cut = await end({ bytes: 50 * MB, session: 'c', isDelivered: false });
    const delivered = await end({ bytes: 8 * MB, session: 'a' }, { bytes: 8 * MB, session: 'b' });
    await journal.trim();
    expect(await kept([...delivered, ...cut])).toEqual([delivered[1], ...cut]);
  });

  it('keeps streams that go on, whatever the others leave', async () => {
    await begin('running');
    const others = await end(...some(3, { bytes: 40 * MB, isDelivered: false }));
    await journal.trim();
    expect(await kept(['running', ...others])).toEqual(['running', others[2]]);
    expect(await journal.find('running')).toMatchObject({ finished: false });
  });

  it('checks by itself whether it is too large', async () => {
    for (const id of ['first', 'second']) await begin(id);
    await journal.finish('first', 8 * MB);
    await journal.finish('second', 8 * MB);
    const left = async () => (await kept(['first', 'second'])).length;
    for (let looks = 0; looks < 1_000 && (await left()) > 1; looks += 1) await new Promise(setImmediate);
    expect(await left()).toBe(1);
  });

  it('checks only the session in which a stream ended, and limits the number of streams, however short they are', async () => {
    const others = await end(...some(2, { bytes: 2 * MB, session: 'b' }));
    const short = await end(...some(300, { bytes: 4 * 1024 }));
    await begin('last');
    await journal.finish('last', 100);
    await journal.deliver('last');
    await journal.trim('last');
    expect([(await kept(short)).length, await kept(['last']), await kept(others)]).toEqual([254, ['last'], others]);
    const { bytes } = await database
      .selectFrom('mcp_streams')
      .select('bytes')
      .where('id', '=', 'last')
      .executeTakeFirstOrThrow();
    expect(Number(bytes)).toBe(4 * 1024 + 100);
  });

  it('drops the oldest messages of a running stream', async () => {
    await begin('running');
    for (const seq of [2, 3, 4]) await journal.append('running', seq, `{"n":${seq}}`);
    await journal.forget('running', 2);
    expect((await journal.after('running', 0)).map(({ seq }) => seq)).toEqual([3, 4]);
  });
});

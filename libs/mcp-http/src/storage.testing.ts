import { storedSession } from './testing.js';
import type { EndpointStorage, SessionRecord } from './storage.js';

/** Returns a session that was last used in that second. */
const session = (id: string, { client = 'alice', seen = 0 } = {}) =>
  storedSession({ id, client, lastSeenAt: new Date(seen * 1_000) });

const idsOf = (records: readonly SessionRecord[]) => records.map(({ id }) => id).sort();

/** What the endpoint needs of any storage. */
export function storageContract(open: () => Promise<Omit<EndpointStorage, 'relay'>>): void {
  describe('sessions', () => {
    const storeOf = async (...records: SessionRecord[]) => {
      const { sessions } = await open();
      for (const record of records) await sessions.create(record);
      return sessions;
    };

    it('are found by id until they are deleted', async () => {
      const sessions = await storeOf(session('a'), session('b'));
      expect(await sessions.find('a')).toMatchObject(session('a'));
      expect(idsOf(await sessions.listByIds(['b', 'none', 'a']))).toEqual(['a', 'b']);
      await sessions.delete('a');
      expect(await sessions.find('a')).toBeUndefined();
      expect(await sessions.find('b')).toMatchObject(session('b'));
    });

    it('change in what is saved, and in nothing else', async () => {
      const sessions = await storeOf(session('a'), session('b'));
      await sessions.touch('a', new Date(5));
      await sessions.saveLogLevel('a', 'debug');
      await sessions.saveSubscriptions('a', { added: ['u:1', 'u:2'], removed: [] });
      const changed = { lastSeenAt: new Date(5), logLevel: 'debug', subscriptions: ['u:1', 'u:2'] };
      const found = await sessions.find('a');
      expect({ ...found, subscriptions: found?.subscriptions.toSorted() }).toMatchObject({
        ...session('a'),
        ...changed,
      });
      expect(await sessions.find('b')).toMatchObject(session('b'));
    });

    it('keep each subscription once, and drop those that are removed', async () => {
      const sessions = await storeOf(session('a'));
      await sessions.saveSubscriptions('a', { added: ['u:1', 'u:2', 'u:2'], removed: [] });
      await sessions.saveSubscriptions('a', { added: ['u:1', 'u:3'], removed: ['u:2', 'none'] });
      expect((await sessions.find('a'))?.subscriptions.toSorted()).toEqual(['u:1', 'u:3']);
    });

    it('keep the highest number of a change that streams delivered', async () => {
      const sessions = await storeOf(session('a'));
      for (const seq of [3, 7, 5]) await sessions.closeStream('a', 'p/1', seq);
      expect(await sessions.find('a')).toMatchObject({ eventSeq: 7, answered: { after: 0, upTo: 0 } });
    });

    it('know which stream is open, until that one closes', async () => {
      const delivered = { eventSeq: 2, answered: { after: 2, upTo: 2 } };
      const sessions = await storeOf({ ...session('a'), ...delivered });
      expect(await sessions.openStream('a', 'p/1')).toMatchObject(delivered);
      await sessions.openStream('a', 'q/2');
      await sessions.closeStream('a', 'p/1', 4);
      expect(await sessions.find('a')).toMatchObject({ openStream: 'q/2', eventSeq: 4 });
      await sessions.closeStream('a', 'q/2', 5);
      expect((await sessions.find('a'))?.openStream).toBeNull();
      expect(await sessions.openStream('gone', 'p/1')).toBeUndefined();
    });

    it('let one of several concurrent requests deliver changes, and none when a stream opened or delivered some meanwhile', async () => {
      const sessions = await storeOf(session('a'));
      const known = { eventSeq: 0, openStream: null };
      const upTo = (seq: number) => ({ after: 0, upTo: seq });
      const claims = await Promise.all([3, 4, 5].map((seq) => sessions.claimChanges('a', known, upTo(seq))));
      expect(claims.filter(Boolean)).toHaveLength(1);
      const eventSeq = claims.indexOf(true) + 3;
      expect(await sessions.find('a')).toMatchObject({ eventSeq, answered: { after: 0, upTo: eventSeq } });
      await sessions.openStream('a', 'p/1');
      expect(await sessions.claimChanges('a', { eventSeq, openStream: null }, upTo(9))).toBe(false);
      expect(await sessions.claimChanges('a', { eventSeq, openStream: 'p/1' }, upTo(9))).toBe(true);
      expect(await sessions.find('a')).toMatchObject({
        eventSeq: 9,
        answered: { after: 0, upTo: 9 },
        openStream: null,
      });
      await sessions.closeStream('a', 'q/2', 10);
      expect(await sessions.claimChanges('a', { eventSeq: 9, openStream: null }, upTo(11))).toBe(false);
      expect(await sessions.claimChanges('gone', known, upTo(1))).toBe(false);
    });

    it('are not recreated by a change after their end', async () => {
      const { sessions } = await open();
      await sessions.touch('gone', new Date());
      await sessions.saveSubscriptions('gone', { added: ['u:1'], removed: [] });
      await sessions.closeStream('gone', 'p/1', 1);
      expect(await sessions.find('gone')).toBeUndefined();
      expect(await sessions.count(null)).toBe(0);
    });

    it('are counted for a client, and for all together', async () => {
      const sessions = await storeOf(session('a'), session('b'), session('c', { client: 'bob' }));
      const counts = await Promise.all(['alice', 'bob', 'nobody', null].map((client) => sessions.count(client)));
      expect(counts).toEqual([2, 1, 0, 3]);
    });

    describe('when those that are unused end', () => {
      const before = new Date(30_000);
      const left = async (unused: { client: string | null; limit: number }) => {
        const sessions = await storeOf(
          session('recent', { seen: 30 }),
          session('old', { seen: 20 }),
          session('oldest', { seen: 10 }),
          session('bobs', { client: 'bob', seen: 15 }),
        );
        const ended = await sessions.deleteUnused({ before, ...unused });
        return { ended, left: idsOf(await sessions.listByIds(['recent', 'old', 'oldest', 'bobs'])) };
      };

      it('are those that were not seen since', async () => {
        expect(await left({ client: null, limit: 9 })).toEqual({ ended: 3, left: ['recent'] });
      });

      it('are those of one client', async () => {
        expect(await left({ client: 'alice', limit: 9 })).toEqual({ ended: 2, left: ['bobs', 'recent'] });
      });

      it('are as many as were asked for, the longest unused first', async () => {
        expect(await left({ client: null, limit: 2 })).toEqual({ ended: 2, left: ['old', 'recent'] });
      });
    });
  });

  describe('changes', () => {
    it('are numbered in their order', async () => {
      const { changes } = await open();
      expect([await changes.latest(), await changes.after(0)]).toEqual([0, []]);
      const first = await changes.append({ kind: 'tools_list_changed' }, { kind: 'prompts_list_changed' });
      const more = [
        { kind: 'resource_updated', uri: 'a:1' },
        { kind: 'task_changed', taskId: 't' },
        { kind: 'task_changed', taskId: null },
      ] as const;
      const last = await changes.append(...more);
      expect(await changes.latest()).toBe(last);
      expect(await changes.after(first)).toEqual(more.map((event, index) => ({ seq: first + 1 + index, event })));
      expect(await changes.after(last)).toEqual([]);
    });
  });

  describe('streams', () => {
    const stream = { sessionId: 's', requestIds: ['a', 1], process: 'p' };
    const journalOf = async () => {
      const { sessions, journal } = await open();
      await sessions.create(session('s'));
      return journal;
    };

    it('keep their messages, and whether they are finished', async () => {
      const journal = await journalOf();
      await journal.open('a', stream);
      await journal.open('b', stream);
      for (const seq of [1, 2, 3]) await journal.append('a', seq, `m${seq}`);
      const rest = [2, 3].map((seq) => ({ seq, message: `m${seq}` }));
      expect(await journal.after('a', 1)).toEqual(rest);
      expect([await journal.after('a', 3), await journal.after('b', 0)]).toEqual([[], []]);
      expect(await journal.find('a')).toMatchObject({ ...stream, finished: false });
      await journal.finish('a', 14);
      expect(await journal.find('a')).toMatchObject({ ...stream, finished: true });
      expect(await journal.find('b')).toMatchObject({ finished: false });
      await journal.forget('a', 2);
      expect(await journal.after('a', 0)).toEqual(rest.slice(1));
    });

    it('are none when nobody opened them', async () => {
      const journal = await journalOf();
      await journal.forget('none', 1);
      await journal.finish('none', 14);
      expect([await journal.find('none'), await journal.after('none', 0)]).toEqual([null, []]);
    });
  });
}

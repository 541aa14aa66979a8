import { memoryDatabase } from '../../platform/database/testing.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { ClientUseStore } from './client-use.store.js';
import { ClientUses, ConnectedClients } from './connected-clients.service.js';

const ide = { name: 'ide', version: '1.0.0', protocolVersion: '2025-11-25' };
const agent = { name: 'agent', version: '2.0.0', protocolVersion: '2026-07-28' };
const NOW = 5_000;
const byDefault = { name: 'default', groups: [] };

describe('ConnectedClients', () => {
  let programs: ConnectedClients;
  beforeEach(async () => {
    const uses = new ClientUses(new ClientUseStore(await memoryDatabase()), recordedEvents().events);
    programs = new ConnectedClients(uses);
  });

  it('lists each program once, the last seen first', () => {
    programs.seen(byDefault, ide, 1_000);
    programs.seen(byDefault, agent, 2_000);
    programs.seen(byDefault, ide, 3_000);
    expect(programs.list(10, NOW)).toEqual([
      { client: 'default', ...ide, lastSeenAt: new Date(3_000), streams: 0 },
      { client: 'default', ...agent, lastSeenAt: new Date(2_000), streams: 0 },
    ]);
    expect(programs.list(1, NOW)).toHaveLength(1);
  });

  it('forgets a program that has not called for 15 minutes, unless it holds a stream open', () => {
    programs.seen(byDefault, ide, 0);
    programs.seen(byDefault, agent, 0);
    programs.reportStreams(() => [{ client: 'default', ...ide, sessionId: 's1' }]);
    expect(programs.list(10, 15 * 60_000 - 1)).toHaveLength(2);
    expect(programs.list(10, 15 * 60_000)).toMatchObject([ide]);
  });

  it('distinguishes programs by client and version', () => {
    programs.seen(byDefault, ide, 1);
    programs.seen({ name: 'ci', groups: [] }, ide, 2);
    programs.seen(byDefault, { ...ide, version: '1.0.1' }, 3);
    programs.seen(byDefault, { ...ide, protocolVersion: '2025-06-18' }, 4);
    expect(programs.list(10, NOW)).toHaveLength(4);
  });

  it('counts open streams by program and by session', () => {
    programs.seen(byDefault, ide, 1);
    programs.seen(byDefault, agent, 2);
    programs.reportStreams(() => [
      { client: 'default', ...ide, sessionId: 's1' },
      { client: 'default', ...agent, sessionId: null },
      { client: 'default', ...agent, sessionId: null },
    ]);
    expect(programs.streamCount()).toBe(3);
    expect(programs.streamsBySession()).toEqual(new Map([['s1', 1]]));
    expect(programs.list(10, NOW)).toMatchObject([
      { name: 'agent', streams: 2 },
      { name: 'ide', streams: 1 },
    ]);
  });

  it('forgets the program not seen for longest when there are too many', () => {
    for (let i = 0; i < 500; i += 1) programs.seen(byDefault, { ...ide, name: `program ${i}` }, i);
    programs.seen(byDefault, { ...ide, name: 'program 0' }, 1_000);
    programs.seen(byDefault, { ...ide, name: 'one more' }, 1_001);
    const names = programs.list(1_000, NOW).map(({ name }) => name);
    expect(names).toHaveLength(500);
    expect(names.slice(0, 2)).toEqual(['one more', 'program 0']);
    expect(names).not.toContain('program 1');
  });

  it('remembers a program again that it had forgotten', () => {
    programs.seen({ name: 'rare', groups: [] }, ide, 0);
    for (let i = 0; i < 500; i += 1) programs.seen(byDefault, { ...ide, name: `program ${i}` }, i + 1);
    const listed = () => programs.list(1_000, NOW).filter(({ client }) => client === 'rare');
    expect(listed()).toEqual([]);
    programs.seen({ name: 'rare', groups: [] }, ide, 1_000);
    expect(listed()).toMatchObject([{ name: 'ide', lastSeenAt: new Date(1_000) }]);
  });

  it('keeps only the beginning of a very long name', () => {
    const long = { ...ide, name: 'x'.repeat(1_000_000) };
    programs.seen(byDefault, long, 1);
    programs.reportStreams(() => [{ client: 'default', ...long, sessionId: 's1' }]);
    expect(programs.list(1, NOW)).toMatchObject([{ name: 'x'.repeat(200), streams: 1 }]);
  });
});

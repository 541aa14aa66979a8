import { jest } from '@jest/globals';
import { describeEachDatabase } from '../../platform/database/testing.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { ClientUseStore } from './client-use.store.js';
import { ClientUses } from './connected-clients.service.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);

describeEachDatabase('the last uses of clients', (open) => {
  const newUses = async () => {
    const store = new ClientUseStore(await open());
    const { events } = recordedEvents();
    return { uses: new ClientUses(store, events), store, events };
  };

  it('are recorded once a minute at most, the first at once', async () => {
    const { uses, store } = await newUses();
    uses.seen('ada', '192.0.2.1', 'ide', at(0).getTime());
    await uses.tick(at(1));
    uses.seen('ada', '192.0.2.2', 'agent', at(2).getTime());
    await uses.tick(at(30));
    expect((await store.list()).get('ada')).toEqual({ at: at(0), address: '192.0.2.1', program: 'ide' });
    expect((await uses.list()).get('ada')).toEqual({ at: at(2), address: '192.0.2.2', program: 'agent' });
    await uses.tick(at(61));
    expect((await store.list()).get('ada')).toEqual({ at: at(2), address: '192.0.2.2', program: 'agent' });
  });

  it('are recorded later when the database could not take them', async () => {
    const { uses, store } = await newUses();
    const save = jest.spyOn(store, 'save').mockRejectedValueOnce(new Error('the disk is full'));
    uses.seen('ada', null, 'ide', at(0).getTime());
    await expect(uses.tick(at(1))).rejects.toThrow('the disk is full');
    await uses.tick(at(6));
    expect((await store.list()).get('ada')).toEqual({ at: at(0), address: null, program: 'ide' });
    await uses.tick(at(120));
    expect(save).toHaveBeenCalledTimes(2);
  });

  it('are recorded when the service stops, and never replace a later one', async () => {
    const { uses, store, events } = await newUses();
    const other = new ClientUses(store, events);
    other.seen('ada', null, 'later', at(10).getTime());
    await other.tick(at(10));
    uses.seen('ada', null, 'earlier', at(5).getTime());
    uses.seen('bob', null, 'ide', at(5).getTime());
    await uses.beforeApplicationShutdown();
    expect([...(await store.list())].map(([client, { program }]) => [client, program]).sort()).toEqual([
      ['ada', 'later'],
      ['bob', 'ide'],
    ]);
  });
});

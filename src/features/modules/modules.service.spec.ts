import { settingsOn } from '../../platform/config/testing.js';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { Environment } from '../../platform/environment/environment.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { ModuleHost } from './module-host.service.js';
import { ModuleStore } from './module.store.js';
import { SkillModules } from './modules.service.js';

const MODULE = { name: 'weather', file: 'weather.ts', files: {}, javascript: {}, digest: 'sha256:1', skills: [] };

it('takes no change of a module for one of another replica, whenever it reloads', async () => {
  const database = await memoryDatabase();
  const store = new ModuleStore(database);
  await store.save(MODULE, 'upload', { by: 'ann', at: new Date() }, 9);
  const { events, sent } = recordedEvents();
  const replicas = new ReplicaChannel(new Environment(), database);
  let reload: () => Promise<void> = async () => undefined;
  replicas.on = (_topic, listener) => void (reload = () => listener(null));
  const modules = new SkillModules(store, new ModuleHost(), events, replicas, await settingsOn({ database }));
  await modules.onModuleInit();
  const setEnabled = store.setEnabled.bind(store);
  const reloads: Promise<void>[] = [];
  store.setEnabled = async (...given) => {
    const isThere = await setEnabled(...given);
    reloads.push(reload());
    return isThere;
  };
  await modules.setEnabled('weather', false, 'ann');
  await Promise.all(reloads);
  expect(sent).toEqual([['modules.changed', { names: ['weather'] }]]);
  await database.destroy();
});

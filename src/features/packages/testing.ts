import type { Database } from '../../platform/database/database.js';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { Environment } from '../../platform/environment/environment.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { type Check, checkPackage, digestOf } from './files/package-check.rules.js';
import type { CheckedPackage } from './files/package.js';
import { NoSemanticSearch, type SemanticSearch } from '../semantic/semantic-search.js';
import { PackageLists } from './package-lists.store.js';
import { PackageSearch } from './package-search.service.js';
import { PackageVectors } from './package-vectors.store.js';
import { PackageStore } from './package.store.js';
import { SkillPackages } from './skill-packages.service.js';

type Files = Record<string, string | Uint8Array>;

export const skillText = (name: string, body = 'Do it.', more = ''): string =>
  `---\nname: ${name}\ndescription: How to do ${name}.\n${more}---\n${body}\n`;

export const checkFiles = (folder: string | null, files: Files): Check =>
  checkPackage(
    folder,
    Object.entries(files).map(([path, content]) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      return { path, bytes, digest: digestOf(bytes) };
    }),
  );

export function packageOf(name: string, files: Files = {}): CheckedPackage {
  const { checked, problems } = checkFiles(name, { 'SKILL.md': skillText(name), ...files });
  if (!checked) throw new TypeError(`the package has mistakes: ${JSON.stringify(problems)}`);
  return checked;
}

/** Makes the packages on a database, with real collaborators. */
export async function packagesOn(database: Database, meaning: SemanticSearch = new NoSemanticSearch()) {
  const { events, sent } = recordedEvents();
  const replicas = new ReplicaChannel(new Environment(), database);
  const store = new PackageStore(database);
  const lists = new PackageLists(database);
  const packages = new SkillPackages(store, lists, events, replicas);
  let reload: () => Promise<void> = async () => undefined;
  replicas.on = (_topic, listener) => void (reload = () => listener(null));
  await packages.onModuleInit();
  const search = new PackageSearch(packages, lists, meaning, new PackageVectors(database));
  search.onModuleInit();
  const namesFor = async (query: string, limit = 5) => (await search.search({ query, limit })).map(({ name }) => name);
  return { packages, search, namesFor, store, lists, events, sent, reload };
}

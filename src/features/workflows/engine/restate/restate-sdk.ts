import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as RestateSdk from '@restatedev/restate-sdk';
import { PROJECT_ROOT } from '../../../../platform/environment/project-root.js';
import { RestateMissing } from './restate.errors.js';

const FILE = join(PROJECT_ROOT, 'restate/node_modules/@restatedev/restate-sdk/dist/index.js');

/** Loads the SDK from separately installed packages. @throws RestateMissing */
export async function loadRestateSdk(): Promise<typeof RestateSdk> {
  if (!existsSync(FILE)) throw new RestateMissing();
  return (await import(pathToFileURL(FILE).href)) as typeof RestateSdk;
}

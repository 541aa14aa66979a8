import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from './until.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Resolves when nothing keeps the objects, but for one: V8 may keep the last. @throws Error */
export async function untilFreed(held: readonly WeakRef<object>[]): Promise<void> {
  await until(() => {
    collectGarbage();
    return held.filter((reference) => reference.deref() !== undefined).length <= 1;
  });
}

// Brings a clone to where it can run.
import { install, isInstalled } from './packages.js';

/** Installs the packages of the service, Node included, if they are missing or others than those of the lock file. */
export async function installMissing() {
  if (isInstalled('.', { dev: false })) return;
  await orExit(() => install('.'), 'installed');
  await import('../slim-node.js');
}

/** Transpiles sources that have changed. */
export async function bringUpToDate() {
  const transpile = async () => (await import('./transpile.js')).transpile('src', 'libs');
  await orExit(async () => {
    try {
      await transpile();
    } catch (error) {
      // That which transpiles is not needed by what runs, and may not be installed.
      if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
      await install('.');
      await transpile();
    }
  }, 'built');
}

async function orExit(work, done) {
  try {
    await work();
  } catch (error) {
    console.error(`Agent Service cannot be ${done}: ${error.message}`);
    process.exit(1);
  }
}

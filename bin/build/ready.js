// Brings a clone to where it can run.
import { install, isInstalled } from './packages.js';

/** Installs the packages of folders that lack them, Node included. */
export async function ready(...folders) {
  const isWhole = isInstalled('.');
  await orExit(() => install(...folders), 'installed');
  if (!isWhole) await import('./slim.js');
}

/** Installs the packages that the service runs with, if they are missing or others than those of the lock file. */
export async function readyToRun() {
  if (!isInstalled('.', { dev: false })) await ready('.');
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
      await ready('.');
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

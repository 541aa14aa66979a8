// Prepares a clone to run.
import { hasDevelopment, install, isInstalled } from './packages.js';

/** Installs the packages of folders that lack them, Node included. */
export async function ready(...folders) {
  const isWhole = isInstalled('.');
  await orExit(() => install(folders), 'installed');
  if (!isWhole) await import('./slim.js');
}

/** Installs the service's dependencies, if they are missing or differ from the lock file. */
export async function readyToRun() {
  if (isInstalled('.', { dev: false })) return;
  await orExit(() => install(['.'], { dev: hasDevelopment('.') }), 'installed');
  await import('./slim.js');
}

/** Transpiles sources that have changed. */
export async function bringUpToDate() {
  await orExit(async () => (await import('./transpile.js')).transpile('src', 'libs'), 'built');
}

async function orExit(work, done) {
  try {
    await work();
  } catch (error) {
    console.error(`Agent Service cannot be ${done}: ${error.message}`);
    process.exit(1);
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { builtFile } from '#thread-pool';
import type { HostLimits } from './protocol.js';

/** The service has priority, but on a busy machine the host must not starve: it gets half the share of others. */
const NICENESS = 3;
const FILE = builtFile('host.worker.js', import.meta.url);

/**
 * Starts the process that runs modules: without access to other files, network, child processes and add-ons, without environment
 * and output.
 */
export function startHostProcess(limits: HostLimits): ChildProcess {
  const host = fork(FILE, [JSON.stringify(limits)], {
    cwd: dirname(FILE),
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [
      ...['--permission', '--allow-worker', `--allow-fs-read=${dirname(FILE)}`, '--no-addons'],
      ...['--disable-warning=PERM0006', '--disable-warning=ExperimentalWarning'],
    ],
  });
  leaveRoomForOthers(host.pid);
  return host;
}

function leaveRoomForOthers(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch {
    // The process has ended already, or the system does not permit it.
  }
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Tracks the processes that a test has started and that may still run when the test ends. */
export class ChildProcesses {
  private readonly closed = new Map<ChildProcess, Promise<unknown>>();

  add<Child extends ChildProcess>(child: Child): Child {
    this.closed.set(child, once(child, 'close'));
    return child;
  }

  /** Kills all processes, and waits until their output is closed: after that, neither they nor their children write files. */
  async kill(): Promise<void> {
    for (const child of this.closed.keys()) child.kill('SIGKILL');
    await Promise.all(this.closed.values());
    this.closed.clear();
  }
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The processes that a test has started and that may outlive what it looks at. */
export class ChildProcesses {
  private readonly closed = new Map<ChildProcess, Promise<unknown>>();

  add<Child extends ChildProcess>(child: Child): Child {
    this.closed.set(child, once(child, 'close'));
    return child;
  }

  /** Kills them, and waits until their output is closed: then neither they nor what they started write to a folder. */
  async kill(): Promise<void> {
    for (const child of this.closed.keys()) child.kill('SIGKILL');
    await Promise.all(this.closed.values());
    this.closed.clear();
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Orders, Reports } from './generator.js';

type Message<N extends keyof Orders> = { name: N } & ({ report: Reports[N] } | { problem: string });

/** Controls the load generator, which is a separate process. */
export class LoadGenerator {
  private readonly child: ChildProcess;

  /** @param niceness of all its threads: from 19, for those that run when nothing else does, to -20, which only root may set */
  constructor(niceness = 0) {
    const args = ['-n', String(niceness), process.execPath, resolve('dist/bench/load/generator.js')];
    this.child = spawn('nice', args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** @throws Error when a server gave a wrong response */
  async do<N extends keyof Orders>(name: N, order: Orders[N]): Promise<Reports[N]> {
    this.child.send({ name, order });
    const [message] = (await once(this.child, 'message')) as [Message<N>];
    if ('problem' in message) throw new Error(message.problem);
    return message.report;
  }

  stop(): void {
    this.child.disconnect();
  }
}

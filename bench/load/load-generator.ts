import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import type { Orders, Reports } from './generator.js';

type Message<N extends keyof Orders> = { name: N } & ({ report: Reports[N] } | { problem: string });

/** Controls the load generator, which is a separate process. */
export class LoadGenerator {
  private readonly child: ChildProcess = fork(resolve('dist/bench/load/generator.js'));

  /** `givesWay`: with the lowest priority, so that it runs only when no other process needs the CPU. */
  constructor({ givesWay = false } = {}) {
    const { PRIORITY_LOW } = constants.priority;
    if (givesWay && this.child.pid !== undefined) setPriority(this.child.pid, PRIORITY_LOW);
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

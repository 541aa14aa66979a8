import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import type { Orders, Reports } from './generator.js';

type Message<N extends keyof Orders> = { name: N } & ({ report: Reports[N] } | { problem: string });

/** The side of the load generator that gives the orders: the load itself comes from a process of its own. */
export class LoadGenerator {
  private readonly child: ChildProcess = fork(resolve('dist/bench/load/generator.js'));

  /** `givesWay`: it works only when no other process needs the processor. */
  constructor({ givesWay = false } = {}) {
    const { PRIORITY_LOW } = constants.priority;
    if (givesWay && this.child.pid !== undefined) setPriority(this.child.pid, PRIORITY_LOW);
  }

  /** @throws Error when a server did not answer as it should */
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

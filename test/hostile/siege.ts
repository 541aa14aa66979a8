import type { Attack } from './attacks.js';
import { Besieged } from './besieged.js';
import { admin, callTool, pause } from './target.js';

const SETTLE_MS = 1_500;

/** What an attack did to the service. */
export interface Damage {
  attack: string;
  seconds: number;
  /** The longest that `/health/live` took to answer meanwhile. */
  healthMs: number;
  /** Resident memory in MB. */
  before: number;
  most: number;
  after: number;
}

/** The service in a process of its own, and who watches it while it is attacked. */
export class Siege {
  /** What one attack does to a service that has just started. @throws Error when it does not serve any more afterwards */
  static async of(attack: Attack, heapMegabytes?: number): Promise<Damage> {
    const besieged = await Besieged.start(heapMegabytes);
    try {
      return await new Siege(besieged).suffer(attack);
    } finally {
      await besieged.end();
    }
  }

  private constructor(private readonly besieged: Besieged) {}

  private async suffer(attack: Attack): Promise<Damage> {
    const { besieged } = this;
    const before = besieged.residentMegabytes();
    const watch = besieged.watch();
    const startedAt = performance.now();
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, besieged.residentMegabytes())), 50);
    await attack.run(besieged.target);
    const seconds = (performance.now() - startedAt) / 1_000;
    await pause(SETTLE_MS);
    clearInterval(sampling);
    const healthMs = await watch.end();
    await this.assertServing(attack.name);
    const after = besieged.residentMegabytes();
    return { attack: attack.name, seconds, healthMs, before, most: Math.max(most, after), after };
  }

  private async assertServing(attack: string): Promise<void> {
    const { server, target } = this.besieged;
    if (!server.isRunning) throw new Error(`${attack} ended the process:\n${server.lastOutput}`);
    const [call, overview] = [await callTool(target, 'system_info', {}), await admin(target, 'GET', 'overview')];
    if (call.status !== 200 || overview.status !== 200) {
      throw new Error(`after ${attack} the service answers ${call.status} ${call.text} and ${overview.status}`);
    }
  }
}

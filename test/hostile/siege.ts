import type { Attack } from './attacks.js';
import { Besieged } from './besieged.js';
import { admin, callTool, pause } from './target.js';

/** How long to keep measuring after an attack: its effects may be delayed. */
const SETTLE_MS = 200;

/** The effects of an attack on the service. */
export interface Damage {
  attack: string;
  seconds: number;
  /** The longest response time of `/health/live` during the attack. */
  healthMs: number;
  /** Resident memory in MB. */
  before: number;
  most: number;
  after: number;
}

/** The service in a child process, and its monitoring during attacks. */
export class Siege {
  private constructor(private readonly besieged: Besieged) {}

  static async begin(heapMegabytes?: number): Promise<Siege> {
    return new Siege(await Besieged.start(heapMegabytes));
  }

  /** @throws Error if there was an unhandled error */
  end(): Promise<void> {
    return this.besieged.end();
  }

  /** Runs an attack and measures its effects. @throws Error if the service does not work afterwards */
  async suffer(attack: Attack, settleMs = SETTLE_MS): Promise<Damage> {
    const { besieged } = this;
    const before = besieged.residentMegabytes();
    const watch = besieged.watch();
    const startedAt = performance.now();
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, besieged.residentMegabytes())), 50);
    let healthMs: number;
    try {
      await attack.run(besieged.target);
      await pause(settleMs);
    } finally {
      clearInterval(sampling);
      healthMs = await watch.end();
    }
    const seconds = (performance.now() - startedAt - settleMs) / 1_000;
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

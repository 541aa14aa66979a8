import { Besieged } from './besieged.js';
import { admin, pause, type Reply, type Target } from './target.js';

const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 270_000;
/** V8 heap limit; the service dies when it needs more. */
const HEAP_MEGABYTES = 512;

/** A run as returned by the admin API. */
export interface ShownRun {
  id: string;
  status: string;
  error: { detail?: string; title?: string; instance?: string } | null;
  output: unknown;
  questions: number;
  endedAt: string | null;
}

/** The service in a child process that executes hostile workflows while its health is monitored. */
export class WorkflowSiege {
  private constructor(private readonly besieged: Besieged) {}

  static async begin(): Promise<WorkflowSiege> {
    return new WorkflowSiege(await Besieged.start(HEAP_MEGABYTES));
  }

  get target(): Target {
    return this.besieged.target;
  }

  /** @throws Error if there was an unhandled error */
  end(): Promise<void> {
    return this.besieged.end();
  }

  /** Runs an attack, and returns true if `/health/live` responded throughout. */
  async answersDuring(attack: () => Promise<void>): Promise<boolean> {
    const watch = this.besieged.watch();
    let longestMs: number;
    try {
      await attack();
    } finally {
      longestMs = await watch.end();
    }
    return Number.isFinite(longestMs);
  }

  async save(definition: string): Promise<Reply> {
    return admin(this.target, 'POST', 'workflows', { definition });
  }

  async start(name: string, input: unknown = {}): Promise<string> {
    const { status, text } = await admin(this.target, 'POST', `workflows/${name}/start`, { input });
    if (status !== 201) throw new Error(`${name} did not start: ${status} ${text.slice(0, 1_000)}`);
    return (JSON.parse(text) as { id: string }).id;
  }

  async get(id: string): Promise<ShownRun> {
    const { status, text } = await admin(this.target, 'GET', `runs/${id}`);
    if (status !== 200) throw new Error(`the run cannot be read: ${status} ${text.slice(0, 1_000)}`);
    return JSON.parse(text) as ShownRun;
  }

  async ended(id: string): Promise<ShownRun> {
    return this.until(id, ({ endedAt }) => endedAt !== null);
  }

  /** Waits until no runs are active, however they were started. */
  async idle(): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    for (const status of ['pending', 'running']) {
      for (;;) {
        const { text } = await admin(this.target, 'GET', `runs?limit=1&status=${status}`);
        if ((JSON.parse(text) as { items: unknown[] }).items.length === 0) break;
        if (performance.now() > deadline) throw new Error(`there are runs that do not end: ${text}`);
        await pause(LOOK_EVERY_MS);
      }
    }
  }

  async until(id: string, isWanted: (run: ShownRun) => boolean): Promise<ShownRun> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const run = await this.get(id);
      if (isWanted(run)) return run;
      if (performance.now() > deadline)
        throw new Error(`the run goes on and on: ${JSON.stringify(run).slice(0, 1_000)}`);
      await pause(LOOK_EVERY_MS);
    }
  }
}

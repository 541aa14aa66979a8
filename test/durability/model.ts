import type { Random } from '../fuzz/random.js';

/** What is kept under a name; null = nothing. */
export type Value = string | null;

/** One thing that the service keeps, as its users reach it. */
export interface Kept {
  readonly name: string;
  /** A value that it may be given next. */
  next(random: Random): Value;
  /** Has it kept; null has it forgotten. Returns what it is known by from now on. @throws Unanswered */
  put(value: Value): Promise<Value>;
  /** What is kept. @param possible what it may be */
  get(possible: ReadonlySet<Value>): Promise<Value>;
}

/** Thrown when nobody knows whether a change took place: there was no answer, or one that says "not now". */
export class Unanswered extends Error {}

/** Knows what must be kept: what was acknowledged last and, where an answer is missing, what was asked for as well. */
export class Model {
  private readonly states: Map<Kept, ReadonlySet<Value>>;
  /** What was asked for since the last check and got no answer: it may still take place, even after what came later. */
  private readonly late = new Map<Kept, Set<Value>>();
  private readonly busy = new Set<Kept>();
  private acknowledgedChanges = 0;

  constructor(
    private readonly all: readonly [Kept, ...Kept[]],
    private readonly random: Random,
  ) {
    this.states = new Map(all.map((kept) => [kept, new Set<Value>([null])]));
  }

  get acknowledged(): number {
    return this.acknowledgedChanges;
  }

  /** Changes things at random, each one after the other, until it is told to stop. */
  async changeUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const kept = this.random.pick([...this.all]);
      if (this.busy.has(kept)) await new Promise((wake) => setImmediate(wake));
      else await this.change(kept);
    }
  }

  /** Compares everything with what the service has; returns what is not as it must be, and takes over what is. */
  async check(): Promise<string[]> {
    const complaints: string[] = [];
    for (const [kept, possible] of this.states) {
      const value = await kept.get(possible);
      if (!possible.has(value)) {
        complaints.push(`${kept.name} is ${show(value)}, and must be ${[...possible].map(show).join(' or ')}`);
      }
      this.states.set(kept, new Set([value]));
    }
    this.late.clear();
    return complaints;
  }

  private async change(kept: Kept): Promise<void> {
    const value = kept.next(this.random);
    const before = this.states.get(kept) ?? new Set();
    this.busy.add(kept);
    this.states.set(kept, new Set([...before, value]));
    try {
      const known = await kept.put(value);
      this.states.set(kept, new Set([known, ...(this.late.get(kept) ?? [])]));
      this.acknowledgedChanges += 1;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      this.late.set(kept, new Set([...(this.late.get(kept) ?? []), value]));
      await new Promise((wake) => setTimeout(wake, 5));
    } finally {
      this.busy.delete(kept);
    }
  }
}

const show = (value: Value): string => (value === null ? 'nothing' : JSON.stringify(value.slice(0, 60)));

import type { Random } from '../fuzz/random.js';

/** The stored value; null = nothing. */
export type Value = string | null;

/** Something that the service stores, accessed through its public interfaces. */
export interface Kept {
  readonly name: string;
  /** Returns a possible next value. */
  next(random: Random): Value;
  /** Stores a value; null deletes it. Returns the value that is now expected. @throws Unanswered */
  put(value: Value): Promise<Value>;
  /** Returns the stored value. @param possible the values that it may have */
  get(possible: ReadonlySet<Value>): Promise<Value>;
}

/** Thrown when the outcome of a change is unknown: no response, or one that reports a temporary failure. */
export class Unanswered extends Error {}

/** So many changes of a kind are not all cut off by kills and faults. */
const MANY = 10;

/** Knows which values may be stored: the last acknowledged one and, where a response is missing, the requested one as well. */
export class Model {
  private readonly states: Map<Kept, ReadonlySet<Value>>;
  /** Changes since the last check that got no response: they may still be applied, even after later ones. */
  private readonly late = new Map<Kept, Set<Value>>();
  private readonly busy = new Set<Kept>();
  private acknowledgedChanges = 0;
  /** Tried and acknowledged changes, by the first word of what they change: its kind. */
  private readonly counts = new Map<string, { tried: number; acknowledged: number }>();

  constructor(
    private readonly all: readonly [Kept, ...Kept[]],
    private readonly random: Random,
  ) {
    this.states = new Map(all.map((kept) => [kept, new Set<Value>([null])]));
  }

  get acknowledged(): number {
    return this.acknowledgedChanges;
  }

  /** Returns the kinds of which no change was ever acknowledged, though many were tried: nothing of them could be lost. */
  get neverAcknowledged(): string[] {
    const never = [...this.counts].filter(([, { tried, acknowledged }]) => tried >= MANY && acknowledged === 0);
    return never.map(([kind]) => kind);
  }

  /** Applies random changes, one after the other, until `isOver`. */
  async changeUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const kept = this.random.pick([...this.all]);
      if (this.busy.has(kept)) await new Promise((wake) => setImmediate(wake));
      else await this.change(kept);
    }
  }

  /** Compares everything with the service; returns the differences, and adopts the stored values. */
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
    const count = this.countOf(kept);
    count.tried += 1;
    this.busy.add(kept);
    this.states.set(kept, new Set([...before, value]));
    try {
      const known = await kept.put(value);
      this.states.set(kept, new Set([known, ...(this.late.get(kept) ?? [])]));
      this.acknowledgedChanges += 1;
      count.acknowledged += 1;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      this.late.set(kept, new Set([...(this.late.get(kept) ?? []), value]));
      await new Promise((wake) => setTimeout(wake, 5));
    } finally {
      this.busy.delete(kept);
    }
  }

  private countOf({ name }: Kept): { tried: number; acknowledged: number } {
    const [kind = name] = name.split(' ');
    const count = this.counts.get(kind) ?? { tried: 0, acknowledged: 0 };
    this.counts.set(kind, count);
    return count;
  }
}

const show = (value: Value): string => (value === null ? 'nothing' : JSON.stringify(value.slice(0, 60)));

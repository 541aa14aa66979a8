/** Random choices that a seed reproduces exactly (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** Returns a number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer in [from, to). */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws RangeError for an empty list */
  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new RangeError('there is nothing to choose from');
    return choices[this.integer(0, choices.length)] as T;
  }

  /** Random bytes, as code points 0 to 255. */
  garbage(length: number): string {
    return Array.from({ length }, () => String.fromCharCode(this.integer(0, 256))).join('');
  }
}

/** Returns a function that picks a random element of a list. It throws for an empty list. */
export function choicesOf(seed: number): <T>(choices: readonly T[]) => T {
  const random = new Random(seed);
  return (choices) => random.pick(choices);
}

/** Returns a function that returns random integers from 0 up to, but not including, a limit. */
export function numbersBelow(seed: number): (limit: number) => number {
  const random = new Random(seed);
  return (limit) => random.integer(0, limit);
}

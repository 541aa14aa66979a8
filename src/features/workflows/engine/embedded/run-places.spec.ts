import { Random } from '../../../../../test/fuzz/random.js';
import { RunPlaces } from './run-places.js';

type State = 'awaited' | 'queued' | 'working' | 'staying' | 'aside' | 'over';

/** A model of the places, with plain lists instead of sets. */
class Model {
  most = 3;
  readonly runs: { id: string; state: State; order: number }[] = [];
  private moves = 0;

  move(id: string, state: State): void {
    const run = this.runs.find((one) => one.id === id);
    this.moves += 1;
    if (!run) this.runs.push({ id, state, order: this.moves });
    else Object.assign(run, { state, order: this.moves });
  }

  in(...states: State[]): string[] {
    const found = this.runs.filter(({ state }) => states.includes(state));
    return found.sort((one, other) => one.order - other.order).map(({ id }) => id);
  }

  get hasRoom(): boolean {
    return this.in('working').length < this.most;
  }

  get next(): string | undefined {
    return this.hasRoom ? [...this.in('awaited'), ...this.in('queued')][0] : undefined;
  }
}

const MOVES = ['arrive', 'awaited', 'next', 'next', 'leave', 'stay', 'go on', 'aside', 'back', 'limit'] as const;

/** Applies an operation to both. */
function move(places: RunPlaces, model: Model, random: Random, id: string): void {
  const oneOf = (...states: State[]) => {
    const found = model.in(...states);
    return found.length === 0 ? undefined : random.pick(found);
  };
  const what = random.pick(MOVES);
  switch (what) {
    case 'arrive':
    case 'awaited':
      places.queue(id, what === 'awaited');
      return model.move(id, what === 'awaited' ? 'awaited' : 'queued');
    case 'next': {
      const expected = model.next;
      const next = places.next();
      expect(next).toBe(expected);
      if (next === undefined) return;
      places.take(next);
      model.move(next, 'working');
      return expect(model.in('working').length).toBeLessThanOrEqual(model.most);
    }
    case 'limit':
      model.most = random.integer(1, 5);
      return;
    default:
      return change(places, model, what, oneOf);
  }
}

type OneOf = (...states: State[]) => string | undefined;

function change(places: RunPlaces, model: Model, what: 'leave' | 'stay' | 'go on' | 'aside' | 'back', oneOf: OneOf) {
  const FROM = { leave: ['working', 'staying', 'aside'], stay: ['working'], 'go on': ['staying'] } as const;
  const id = oneOf(...(what === 'aside' ? ['working' as const] : what === 'back' ? ['aside' as const] : FROM[what]));
  if (id === undefined) return;
  switch (what) {
    case 'leave':
      places.leave(id);
      return model.move(id, 'over');
    case 'stay': {
      const mayStay = model.in('staying').length < model.most;
      expect(places.stay(id)).toBe(mayStay);
      return mayStay ? model.move(id, 'staying') : undefined;
    }
    case 'go on':
      places.reclaim(id);
      return model.move(id, 'working');
    default:
      places.setYielded(id, what === 'aside');
      return model.move(id, what === 'aside' ? 'aside' : 'working');
  }
}

describe('places for runs', () => {
  it.each([1, 2, 3, 4, 5])('are never more than there are, go to awaited runs first, and forget nobody: %d', (seed) => {
    const random = new Random(seed);
    const model = new Model();
    const places = new RunPlaces(() => model.most);
    for (let step = 0; step < 500; step++) {
      move(places, model, random, `r${step}`);
      expect(places.hasRoom).toBe(model.hasRoom);
      expect(places.hasBacklog).toBe(model.in('queued').length > 0);
      expect(places.listStaying().sort()).toEqual(model.in('staying').sort());
    }
    const left = [...model.in('awaited'), ...model.in('queued')];
    for (const id of model.in('working', 'staying', 'aside')) places.leave(id);
    for (const id of left) {
      expect(places.next()).toBe(id);
      places.leave(id);
    }
    expect(places.next()).toBeUndefined();
  });

  it('queue a run once, and as one that is awaited from then on', () => {
    const places = new RunPlaces(() => 1);
    for (const [id, isAwaited] of [
      ['a', false],
      ['b', false],
      ['b', true],
      ['b', false],
    ] as const)
      places.queue(id, isAwaited);
    expect([places.next(), places.next(), places.next()]).toEqual(['b', 'a', undefined]);
  });

  it('remember only so many that wait, which are not awaited', () => {
    const places = new RunPlaces(() => 1);
    for (let number = 0; number < 600; number++) places.queue(`r${number}`, false);
    let count = 0;
    while (places.next() !== undefined) count += 1;
    expect(count).toBe(500);
  });
});

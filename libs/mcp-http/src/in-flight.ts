interface Numbered<Item> {
  readonly number: number;
  readonly item: Item;
}

const FEWEST_PLACES = 8;

/**
 * What is in progress, under numbers that are never given again. A `Map` would keep too much: V8 renews its table again
 * and again as entries come and go, and each table refers to the next. Once one of them is old, all that was in progress
 * at each renewal stays in memory until the next major garbage collection, which has to look at it.
 */
export class InFlight<Item> {
  /** Each item is at the place that its number has, modulo their count, which is a power of two. */
  private places = newPlaces<Item>(FEWEST_PLACES);
  private last = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Returns the number of the added item: greater than all before. */
  add(item: Item): number {
    if (this.count * 2 >= this.places.length) this.grow();
    do this.last += 1;
    while (this.places[this.placeOf(this.last)] !== undefined);
    this.places[this.placeOf(this.last)] = { number: this.last, item };
    this.count += 1;
    return this.last;
  }

  get(number: number): Item | undefined {
    const found = this.places[this.placeOf(number)];
    return found?.number === number ? found.item : undefined;
  }

  /** Does nothing when there is no item with this number. */
  delete(number: number): void {
    if (this.places[this.placeOf(number)]?.number !== number) return;
    this.places[this.placeOf(number)] = undefined;
    this.count -= 1;
  }

  /** Iterates over all items with their numbers, in no particular order. */
  *[Symbol.iterator](): Generator<Numbered<Item>> {
    for (const place of [...this.places]) if (place && this.get(place.number) === place.item) yield place;
  }

  private placeOf(number: number): number {
    return number % this.places.length;
  }

  private grow(): void {
    const before = this.places;
    this.places = newPlaces(before.length * 2);
    for (const place of before) if (place) this.places[this.placeOf(place.number)] = place;
  }
}

const newPlaces = <Item>(count: number): (Numbered<Item> | undefined)[] =>
  Array.from({ length: count }, () => undefined);

interface Numbered<Item> {
  readonly number: number;
  readonly item: Item;
}

const FEWEST_PLACES = 8;

/**
 * Items in progress, under numbers that are never reused. A `Map` would keep too much: V8 reallocates its table as entries come
 * and go, and each table refers to the next. Once one table is in the old generation, all items that were in progress at each
 * reallocation stay in memory until the next major garbage collection, which must scan them.
 */
export class InFlight<Item> {
  /** Each item is at index `number % length`; the length is a power of two. */
  private places = newPlaces<Item>(FEWEST_PLACES);
  private last = 0;
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Returns the number of the added item, which is greater than all before. */
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

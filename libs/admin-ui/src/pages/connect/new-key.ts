let offered: string | null = null;

/** Keeps a key that was just made for the page Connect, which shows it once. */
export function offerKey(key: string): void {
  offered = key;
}

/** Returns the key that was just made, and forgets it; null when there is none. */
export function takeKey(): string | null {
  const key = offered;
  offered = null;
  return key;
}

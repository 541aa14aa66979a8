import { useSyncExternalStore } from 'react';

// Only in memory: lost when the tab is closed or reloaded, as at a logout.
let kept: string | null = null;
const listeners = new Set<() => void>();

function keep(key: string | null): void {
  kept = key;
  for (const listener of listeners) listener();
}

/** Keeps a new key for the page Connect. */
export const offerKey = (key: string): void => keep(key);

/** Drops the new key. */
export const forgetKey = (): void => keep(null);

/** Returns the new key; null when there is none, or no longer. */
export const useNewKey = (): string | null => useSyncExternalStore(listen, () => kept);

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

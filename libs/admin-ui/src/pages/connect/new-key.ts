import { useSyncExternalStore } from 'react';

// In memory only: it is gone with the tab, and once the page is loaded again, as at a logout.
let kept: string | null = null;
const listeners = new Set<() => void>();

function keep(key: string | null): void {
  kept = key;
  for (const tell of listeners) tell();
}

/** Keeps a key that was just made, for the page Connect. */
export const offerKey = (key: string): void => keep(key);

/** Forgets the key that was just made. */
export const forgetKey = (): void => keep(null);

/** Returns the key that was just made; null when there is none, or no longer. */
export const useNewKey = (): string | null => useSyncExternalStore(listen, () => kept);

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

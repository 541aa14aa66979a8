/** While a session is used, the time of its last use is written at most this often. */
const TOUCH_EVERY_MS = 60_000;

/** Returns how often the time of the last use is written, when sessions may be unused for `idleMs`. */
export const touchEveryMs = (idleMs: number): number => Math.min(TOUCH_EVERY_MS, idleMs / 4);

/**
 * Returns since when a session must not have been seen to count as unused for `idleMs`. The time of its last use may have
 * been written some time before its last use.
 */
export const unusedSince = (now: Date, idleMs: number): Date => new Date(now.getTime() - idleMs - touchEveryMs(idleMs));

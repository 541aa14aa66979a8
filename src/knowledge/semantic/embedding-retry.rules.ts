const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;
const LONGEST_ASKED_MS = 3_600_000;

/** Returns how long to wait after the nth failure in a row: twice as long each time, or as long as the server asks. */
export function retryDelayMs(failures: number, retryAfterSeconds: number | undefined): number {
  if (retryAfterSeconds !== undefined) return Math.min(Math.max(retryAfterSeconds * 1_000, 1_000), LONGEST_ASKED_MS);
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
}

import type { StepResult } from '../test/connection-test';
import type { Begun } from './begin';

const KEY = 'sign-in-test';

interface KeptTest {
  begun: Begun;
  results: readonly StepResult[];
}

/** Keeps a test in this tab during the sign-in. */
export const keepTest = (test: KeptTest): void => sessionStorage.setItem(KEY, JSON.stringify(test));

/** Takes the kept test; null when there is none. */
export function takeTest(): KeptTest | null {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept === null ? null : (JSON.parse(kept) as KeptTest);
}

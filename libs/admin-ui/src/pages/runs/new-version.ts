import type { FullRun } from './use-runs';

/** Returns the current version of the workflow of a run, if it differs from the run's. */
export const newVersionOf = ({ version, currentVersion }: FullRun): string | null =>
  version !== null && currentVersion !== version ? currentVersion : null;

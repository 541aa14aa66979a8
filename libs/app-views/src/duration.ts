import type { Step } from './run';

/** Formats the duration of a step, so far if it is running: "40 ms", "1.5 s", "3 min", "2 h". Empty when it has not started. */
export function durationText({ startedAt, endedAt }: Pick<Step, 'startedAt' | 'endedAt'>, now: Date): string {
  if (startedAt === null) return '';
  const ms = Math.max(0, (endedAt === null ? now.getTime() : Date.parse(endedAt)) - Date.parse(startedAt));
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

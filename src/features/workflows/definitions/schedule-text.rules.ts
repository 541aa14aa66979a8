import type { Duration, Schedule } from '#open-workflow';

const SHOWN = 200;

/** Describes when a workflow starts automatically; null = never. */
export function scheduleText(schedule: Schedule | undefined): string | null {
  if (schedule === undefined) return null;
  const { cron, every, after, on } = schedule;
  const parts: string[] = [];
  if (cron !== undefined) parts.push(`cron ${cron}`);
  if (every !== undefined) parts.push(`every ${durationText(every)}`);
  if (after !== undefined) parts.push(`${durationText(after)} after each run`);
  if (on !== undefined) parts.push(`on ${on.one.with.type ?? 'events'}`);
  return parts.join(', ').slice(0, SHOWN);
}

function durationText(duration: Duration): string {
  if (typeof duration === 'string') return duration;
  return Object.entries(duration)
    .map(([unit, amount]) => `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`)
    .join(' ');
}

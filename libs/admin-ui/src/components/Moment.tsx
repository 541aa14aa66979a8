import { useSyncExternalStore } from 'react';
import { formatAgo, formatDate, formatUntil } from '../text/format';

/** Shows a past time as "3 minutes ago", with the exact time in a tooltip. */
export const Ago = ({ at }: { at: string }) => <Moment at={at} format={formatAgo} />;

/** Shows a future time as "in 3 minutes", with the exact time in a tooltip. */
export const Until = ({ at }: { at: string }) => <Moment at={at} format={formatUntil} />;

/** Shows when something was changed, and by whom if that is known. */
export const Changed = ({ at, by }: { at: string; by: string | null }) => (
  <span>
    <Ago at={at} />
    {by && ` by ${by}`}
  </span>
);

interface MomentProps {
  at: string;
  format: (at: Date, now: Date) => string;
}

function Moment({ at, format }: MomentProps) {
  const moment = new Date(at);
  // Rendered again only when it reads differently.
  const text = useSyncExternalStore(onTick, () => format(moment, new Date()));
  return (
    <time dateTime={at} title={formatDate(moment)}>
      {text}
    </time>
  );
}

const TICK_MS = 1_000;

// All times of a page share one timer.
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function onTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => listeners.forEach((tell) => tell()), TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

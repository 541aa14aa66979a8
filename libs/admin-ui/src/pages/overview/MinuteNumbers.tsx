import { type Column, DataTable } from '../../components/DataTable';
import { formatClock, formatMs } from '../../text/format';
import type { Minute } from './chart-rules';
import classes from './MinuteNumbers.module.css';

const COLUMNS: readonly Column<Minute>[] = [
  { title: 'Time', render: ({ at }) => formatClock(new Date(at)) },
  { title: 'Calls', render: ({ calls }) => calls },
  { title: 'Errors', render: ({ errors }) => errors },
  { title: 'p50', render: ({ p50Ms }) => p50Ms !== null && formatMs(p50Ms) },
  { title: 'p95', render: ({ p95Ms }) => p95Ms !== null && formatMs(p95Ms) },
];

/** Shows the chart as a table of the minutes with calls, the latest first. */
export function MinuteNumbers({ title, minutes }: { title: string; minutes: readonly Minute[] }) {
  const busy = minutes.filter(({ calls }) => calls > 0).toReversed();
  if (busy.length === 0) return null;
  return (
    <details className={classes.details}>
      <summary>Show the numbers</summary>
      <div className={classes.numbers} tabIndex={0} role="group" aria-label={`${title}, numbers`}>
        <DataTable label={`${title}, by minute`} columns={COLUMNS} rows={busy} keyOf={({ at }) => at} />
      </div>
    </details>
  );
}

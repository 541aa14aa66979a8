import type { Period } from '../../api/overview';
import { type Column, DataTable } from '../../components/DataTable';
import { formatClock, formatDate, formatMs } from '../../text/format';
import { PART_OF, type Span } from './chart-rules';
import classes from './SpanNumbers.module.css';

const columnsOf = (period: Period): readonly Column<Span>[] => [
  { title: 'Time', render: ({ at }) => (period === 'hour' ? formatClock : formatDate)(new Date(at)) },
  { title: 'Calls', render: ({ calls }) => calls },
  { title: 'Errors', render: ({ errors }) => errors },
  { title: 'p50', render: ({ p50Ms }) => p50Ms !== null && formatMs(p50Ms) },
  { title: 'p95', render: ({ p95Ms }) => p95Ms !== null && formatMs(p95Ms) },
];

interface SpanNumbersProps {
  title: string;
  spans: readonly Span[];
  period: Period;
}

/** Shows the chart as a table of the parts with calls, latest first. */
export function SpanNumbers({ title, spans, period }: SpanNumbersProps) {
  const busy = spans.filter(({ calls }) => calls > 0).toReversed();
  if (busy.length === 0) return null;
  return (
    <details className={classes.details}>
      <summary>Show the numbers</summary>
      <div className={classes.numbers} tabIndex={0} role="group" aria-label={`${title}, numbers`}>
        <DataTable
          label={`${title}, by ${PART_OF[period]}`}
          columns={columnsOf(period)}
          rows={busy}
          keyOf={({ at }) => at}
        />
      </div>
    </details>
  );
}

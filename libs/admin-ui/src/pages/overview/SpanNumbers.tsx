import type { Period } from '../../api/overview';
import { type Columns, DataTable } from '../../components/DataTable';
import { formatClock, formatDate, formatMs } from '../../text/format';
import { PART_OF, type Span } from './chart-rules';
import classes from './SpanNumbers.module.css';

const columnsOf = (period: Period): Columns<Span> => ({
  Time: ({ at }) => (period === 'hour' ? formatClock : formatDate)(new Date(at)),
  Calls: ({ calls }) => calls,
  Errors: ({ errors }) => errors,
  p50: ({ p50Ms }) => p50Ms !== null && formatMs(p50Ms),
  p95: ({ p95Ms }) => p95Ms !== null && formatMs(p95Ms),
});

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

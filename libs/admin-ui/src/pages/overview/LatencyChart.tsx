import type { Period } from '../../api/overview';
import { formatMs } from '../../text/format';
import { axisMaximum, describeLatency, dotsPath, linePath, type Span } from './chart-rules';
import { SpanChart } from './SpanChart';

const SERIES = [
  { name: 'p50', color: 'var(--app-series-1)' },
  { name: 'p95', color: 'var(--app-series-2)' },
];

export function LatencyChart({ spans, period }: { spans: readonly Span[]; period: Period }) {
  const maximum = axisMaximum(spans.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <SpanChart
      title="Latency"
      description={describeLatency(spans, period)}
      spans={spans}
      period={period}
      maximum={formatMs(maximum)}
      describe={({ p50Ms, p95Ms }) =>
        p50Ms === null || p95Ms === null ? 'no calls' : `p50 ${formatMs(p50Ms)}, p95 ${formatMs(p95Ms)}`
      }
      series={SERIES}
    >
      <Line values={spans.map(({ p95Ms }) => p95Ms)} maximum={maximum} color="var(--app-series-2)" />
      <Line values={spans.map(({ p50Ms }) => p50Ms)} maximum={maximum} color="var(--app-series-1)" />
    </SpanChart>
  );
}

interface LineProps {
  values: readonly (number | null)[];
  maximum: number;
  color: string;
}

function Line({ values, maximum, color }: LineProps) {
  return (
    <>
      <path d={linePath(values, maximum)} stroke={color} strokeWidth={2.5} />
      <path d={dotsPath(values, maximum)} stroke={color} strokeWidth={7} />
    </>
  );
}

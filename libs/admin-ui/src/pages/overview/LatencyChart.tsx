import { formatMs } from '../../text/format';
import { axisMaximum, describeLatency, linePath, type Minute } from './chart-rules';
import { MinuteChart } from './MinuteChart';

const SERIES = [
  { name: 'p50', color: 'var(--app-series-1)' },
  { name: 'p95', color: 'var(--app-series-2)' },
];

export function LatencyChart({ minutes }: { minutes: readonly Minute[] }) {
  const maximum = axisMaximum(minutes.map(({ p95Ms }) => p95Ms ?? 0));
  const pathOf = (valueOf: (minute: Minute) => number | null) => linePath(minutes.map(valueOf), maximum);
  return (
    <MinuteChart
      title="Latency"
      description={describeLatency(minutes)}
      minutes={minutes}
      maximum={formatMs(maximum)}
      series={SERIES}
    >
      <path d={pathOf(({ p95Ms }) => p95Ms)} stroke="var(--app-series-2)" />
      <path d={pathOf(({ p50Ms }) => p50Ms)} stroke="var(--app-series-1)" />
    </MinuteChart>
  );
}

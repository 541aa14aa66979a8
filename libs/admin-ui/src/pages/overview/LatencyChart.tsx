import { formatMs } from '../../text/format';
import { axisMaximum, describeLatency, dotsPath, linePath, type Minute } from './chart-rules';
import { MinuteChart } from './MinuteChart';

const SERIES = [
  { name: 'p50', color: 'var(--app-series-1)' },
  { name: 'p95', color: 'var(--app-series-2)' },
];

export function LatencyChart({ minutes }: { minutes: readonly Minute[] }) {
  const maximum = axisMaximum(minutes.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <MinuteChart
      title="Latency"
      description={describeLatency(minutes)}
      minutes={minutes}
      maximum={formatMs(maximum)}
      series={SERIES}
    >
      <Line values={minutes.map(({ p95Ms }) => p95Ms)} maximum={maximum} color="var(--app-series-2)" />
      <Line values={minutes.map(({ p50Ms }) => p50Ms)} maximum={maximum} color="var(--app-series-1)" />
    </MinuteChart>
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

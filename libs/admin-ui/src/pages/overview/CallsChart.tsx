import { countOf } from '../../text/format';
import { axisMaximum, CHART_HEIGHT, describeCalls, type Minute } from './chart-rules';
import { MinuteChart } from './MinuteChart';

const SERIES = [
  { name: 'Calls', color: 'var(--app-series-1)' },
  { name: 'Errors', color: 'var(--app-error-series)' },
];

export function CallsChart({ minutes }: { minutes: readonly Minute[] }) {
  const maximum = axisMaximum(minutes.map(({ calls }) => calls));
  const heightOf = (count: number) => (count / maximum) * CHART_HEIGHT;
  return (
    <MinuteChart
      title="Calls per minute"
      description={describeCalls(minutes)}
      minutes={minutes}
      maximum={countOf(maximum, 'call')}
      series={SERIES}
    >
      {minutes.map(({ at, calls, errors }, index) => (
        <g key={at}>
          <Bar x={index} height={heightOf(calls)} color="var(--app-series-1)" />
          <Bar x={index} height={heightOf(errors)} color="var(--app-error-series)" />
        </g>
      ))}
    </MinuteChart>
  );
}

function Bar({ x, height, color }: { x: number; height: number; color: string }) {
  return <rect x={x + 0.1} y={CHART_HEIGHT - height} width={0.8} height={height} fill={color} />;
}

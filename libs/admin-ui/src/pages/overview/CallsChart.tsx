import { countOf } from '../../text/format';
import type { Period } from '../../api/overview';
import { axisMaximum, CHART_HEIGHT, describeCalls, PART_OF, type Span } from './chart-rules';
import { SpanChart } from './SpanChart';

const SERIES = [
  { name: 'Calls', color: 'var(--app-series-1)' },
  { name: 'Errors', color: 'var(--app-error-series)' },
];

export function CallsChart({ spans, period }: { spans: readonly Span[]; period: Period }) {
  const maximum = axisMaximum(spans.map(({ calls }) => calls));
  const heightOf = (count: number) => (count / maximum) * CHART_HEIGHT;
  return (
    <SpanChart
      title={`Calls per ${PART_OF[period]}`}
      description={describeCalls(spans, period)}
      spans={spans}
      period={period}
      maximum={countOf(maximum, 'call')}
      describe={({ calls, errors }) => `${countOf(calls, 'call')}, ${countOf(errors, 'error')}`}
      series={SERIES}
    >
      {spans.map(({ at, calls, errors }, index) => (
        <g key={at}>
          <Bar x={index} height={heightOf(calls)} color="var(--app-series-1)" />
          <Bar x={index} height={heightOf(errors)} color="var(--app-error-series)" />
        </g>
      ))}
    </SpanChart>
  );
}

function Bar({ x, height, color }: { x: number; height: number; color: string }) {
  return <rect x={x + 0.1} y={CHART_HEIGHT - height} width={0.8} height={height} fill={color} />;
}

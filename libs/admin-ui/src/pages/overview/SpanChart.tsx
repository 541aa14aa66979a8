import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Period } from '../../api/overview';
import { Section } from '../../components/Section';
import { CHART_HEIGHT, type Span } from './chart-rules';
import classes from './SpanChart.module.css';
import { SpanNumbers } from './SpanNumbers';
import { formatClock, formatDate } from '../../text/format';

interface SpanChartProps {
  title: string;
  /** Description of the drawing for screen readers. */
  description: string;
  spans: readonly Span[];
  period: Period;
  /** Label of the top of the drawing. */
  maximum: string;
  /** Describes the numbers of one part of the period. */
  describe: (span: Span) => string;
  series: readonly { name: string; color: string }[];
  children: ReactNode;
}

const BEGINNINGS: Record<Period, string> = { hour: 'an hour ago', day: 'a day ago', week: 'a week ago' };

/** Frame of a chart of a period: axis, legend and the numbers as text. */
export function SpanChart({ title, description, spans, period, maximum, describe, series, children }: SpanChartProps) {
  const middle = spans[Math.floor(spans.length / 2)];
  return (
    <Section
      title={title}
      actions={
        <Group gap="sm">
          {series.map(({ name, color }) => (
            <Group key={name} gap={6}>
              <span className={classes.swatch} style={{ background: color }} />
              <Text size="xs">{name}</Text>
            </Group>
          ))}
        </Group>
      }
    >
      <Text size="xs" c="dimmed">
        {maximum}
      </Text>
      <svg
        className={classes.drawing}
        viewBox={`0 0 ${spans.length} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={description}
      >
        <line className={classes.grid} x1={0} x2={spans.length} y1={0} y2={0} />
        <line className={classes.grid} x1={0} x2={spans.length} y1={CHART_HEIGHT / 2} y2={CHART_HEIGHT / 2} />
        {children}
        {spans.map((span, index) => (
          <rect key={span.at} className={classes.part} x={index} y={0} width={1} height={CHART_HEIGHT}>
            <title>{`${momentOf(span, period)}: ${describe(span)}`}</title>
          </rect>
        ))}
      </svg>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {BEGINNINGS[period]}
        </Text>
        <Text size="xs" c="dimmed">
          {middle && momentOf(middle, period)}
        </Text>
        <Text size="xs" c="dimmed">
          now
        </Text>
      </Group>
      <Text size="sm" mt="xs">
        {description}
      </Text>
      <SpanNumbers title={title} spans={spans} period={period} />
    </Section>
  );
}

const momentOf = ({ at }: Span, period: Period): string => (period === 'week' ? formatDate : formatClock)(new Date(at));

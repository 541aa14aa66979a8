import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../components/Section';
import { CHART_HEIGHT, type Minute } from './chart-rules';
import classes from './MinuteChart.module.css';
import { MinuteNumbers } from './MinuteNumbers';

interface MinuteChartProps {
  title: string;
  /** Description of the drawing for screen readers. */
  description: string;
  minutes: readonly Minute[];
  /** Label of the top of the drawing. */
  maximum: string;
  series: readonly { name: string; color: string }[];
  children: ReactNode;
}

/** Frame of a chart of the last hour: axis, legend and the numbers as text. */
export function MinuteChart({ title, description, minutes, maximum, series, children }: MinuteChartProps) {
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
        viewBox={`0 0 ${minutes.length} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={description}
      >
        {children}
      </svg>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          an hour ago
        </Text>
        <Text size="xs" c="dimmed">
          now
        </Text>
      </Group>
      <Text size="sm" mt="xs">
        {description}
      </Text>
      <MinuteNumbers title={title} minutes={minutes} />
    </Section>
  );
}

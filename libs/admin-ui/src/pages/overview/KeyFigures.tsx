import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { Overview } from '../../api/overview';
import { formatDuration, formatNumber } from '../../text/format';

export function KeyFigures({ overview }: { overview: Overview }) {
  const figures = [
    { label: 'Keys', value: formatNumber(overview.clients) },
    { label: 'Sessions', value: formatNumber(overview.sessions) },
    { label: 'Open streams', value: formatNumber(overview.streams) },
    { label: `Uptime, version ${overview.version}`, value: formatDuration(overview.uptimeSeconds) },
  ];
  return (
    <SimpleGrid component="dl" cols={{ base: 2, md: 4 }} m={0}>
      {figures.map(({ label, value }) => (
        <Paper key={label} withBorder p="md">
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fw={650} size="lg">
            {value}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

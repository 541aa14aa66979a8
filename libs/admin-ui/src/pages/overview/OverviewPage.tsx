import { Paper, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { type Overview, PERIODS, useOverview } from '../../api/overview';
import { ErrorNotice } from '../../components/ErrorNotice';
import { LoadingLines } from '../../components/LoadingLines';
import { PageHeader } from '../../components/PageHeader';
import { Questions } from '../runs/Questions';
import { Callers } from './Callers';
import { CallsChart } from './CallsChart';
import { LatencyChart } from './LatencyChart';
import { LatestErrors } from './LatestErrors';
import { McpStatus } from './McpStatus';
import { Programs } from './Programs';
import { formatDuration, formatNumber } from '../../text/format';

export function OverviewPage() {
  const [params, setParams] = useSearchParams();
  const period = PERIODS.find((one) => one === params.get('period')) ?? 'hour';
  const { data: overview, error, refetch } = useOverview(period);
  return (
    <>
      <PageHeader
        title="Overview"
        about="What this service is doing, refreshed every 5 seconds."
        actions={
          <SegmentedControl
            aria-label="Period of the numbers"
            data={PERIODS.map((value) => ({ value, label: `Last ${value}` }))}
            value={period}
            onChange={(value) => setParams(value === 'hour' ? {} : { period: value }, { replace: true })}
          />
        }
      />
      <Stack>
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!overview && !error && <LoadingLines count={4} height={120} />}
        {overview && (
          <>
            {!error && <McpStatus overview={overview} />}
            <Questions />
            <KeyFigures overview={overview} />
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <CallsChart spans={overview.spans} period={period} />
              <LatencyChart spans={overview.spans} period={period} />
            </SimpleGrid>
            <Programs programs={overview.programs} keyConfigured={overview.keyConfigured} />
            <Callers callers={overview.callers} period={period} />
            <LatestErrors errors={overview.latestErrors} />
          </>
        )}
      </Stack>
    </>
  );
}

function KeyFigures({ overview }: { overview: Overview }) {
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

import { SimpleGrid, Stack } from '@mantine/core';
import { useOverview } from '../../api/overview';
import { ErrorNotice } from '../../components/ErrorNotice';
import { LoadingLines } from '../../components/LoadingLines';
import { PageHeader } from '../../components/PageHeader';
import { CallsChart } from './CallsChart';
import { KeyFigures } from './KeyFigures';
import { LatencyChart } from './LatencyChart';
import { LatestErrors } from './LatestErrors';
import { McpStatus } from './McpStatus';
import { Programs } from './Programs';

export function OverviewPage() {
  const { data: overview, error, refetch } = useOverview();
  return (
    <>
      <PageHeader title="Overview" about="What this service is doing, refreshed every 5 seconds." />
      <Stack>
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!overview && !error && <LoadingLines count={4} height={120} />}
        {overview && (
          <>
            <McpStatus overview={overview} />
            <KeyFigures overview={overview} />
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <CallsChart minutes={overview.minutes} />
              <LatencyChart minutes={overview.minutes} />
            </SimpleGrid>
            <Programs programs={overview.programs} keyConfigured={overview.keyConfigured} />
            <LatestErrors errors={overview.latestErrors} />
          </>
        )}
      </Stack>
    </>
  );
}

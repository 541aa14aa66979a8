import { Badge, Text } from '@mantine/core';
import { type Columns, DataTable } from '../../../components/DataTable';
import { LoadMore } from '../../../components/LoadMore';
import { Section } from '../../../components/Section';
import { useRowsInParts } from '../../../components/use-found-rows';
import { formatDate } from '../../../text/format';
import type { RunLog } from '../use-runs';

const COLORS: Record<RunLog['level'], string> = { info: 'gray', warning: 'orange', error: 'red' };

const COLUMNS: Columns<RunLog> = {
  Time: ({ at }) => formatDate(new Date(at)),
  Level: ({ level }) => <Badge color={COLORS[level]}>{level}</Badge>,
  Step: ({ step }) => step && <code>{step}</code>,
  Message: ({ message }) => (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {message}
    </Text>
  ),
};

export function RunLogs({ logs }: { logs: readonly RunLog[] }) {
  const { shown = [], pages } = useRowsInParts(logs);
  if (logs.length === 0) return null;
  return (
    <Section title="Log">
      <DataTable label="Log" columns={COLUMNS} rows={shown} keyOf={({ at }, index) => `${at} ${index}`} />
      <LoadMore pages={pages} />
    </Section>
  );
}

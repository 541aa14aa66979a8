import { Badge, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/DataTable';
import { Section } from '../../../components/Section';
import { formatDate } from '../../../text/format';
import type { RunLog } from '../run-types';

const COLORS: Record<RunLog['level'], string> = { info: 'gray', warning: 'orange', error: 'red' };

const COLUMNS: readonly Column<RunLog>[] = [
  { title: 'Time', render: ({ at }) => formatDate(new Date(at)) },
  { title: 'Level', render: ({ level }) => <Badge color={COLORS[level]}>{level}</Badge> },
  { title: 'Step', render: ({ step }) => step && <code>{step}</code> },
  {
    title: 'Message',
    render: ({ message }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
    ),
  },
];

export function RunLogs({ logs }: { logs: readonly RunLog[] }) {
  if (logs.length === 0) return null;
  return (
    <Section title="Log">
      <DataTable label="Log" columns={COLUMNS} rows={logs} keyOf={({ at }, index) => `${at} ${index}`} />
    </Section>
  );
}

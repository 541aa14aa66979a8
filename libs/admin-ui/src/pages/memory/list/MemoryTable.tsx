import { Stack, Text } from '@mantine/core';
import { Caller } from '../../../components/Caller';
import { type Column, DataTable } from '../../../components/DataTable';
import { Ago, Until } from '../../../components/Moment';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import { addressOf, type MemoryEntry } from '../use-memory';

const COLUMNS: readonly Column<MemoryEntry>[] = [
  {
    title: 'Entry',
    render: (entry) => (
      <Stack gap={4}>
        <TextLink to={addressOf(entry)}>{entry.key}</TextLink>
        <Text size="sm" lineClamp={2}>
          {entry.content}
        </Text>
        <Tags tags={entry.tags} />
      </Stack>
    ),
  },
  { title: 'Namespace', render: ({ namespace }) => namespace },
  { title: 'Importance', render: ({ importance }) => importance },
  { title: 'Saved by', render: ({ client }) => <Caller name={client} /> },
  { title: 'Updated', render: ({ updatedAt }) => <Ago at={updatedAt} /> },
  { title: 'Expires', render: ({ expiresAt }) => (expiresAt ? <Until at={expiresAt} /> : 'Never') },
];

export function MemoryTable({ entries }: { entries: readonly MemoryEntry[] }) {
  return <DataTable label="Memory" columns={COLUMNS} rows={entries} keyOf={({ uri }) => uri} />;
}

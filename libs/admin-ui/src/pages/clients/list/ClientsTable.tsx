import { Badge, Code, Stack, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/DataTable';
import { Ago, Until } from '../../../components/Moment';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import type { Client } from '../use-clients';

const COLUMNS: readonly Column<Client>[] = [
  {
    title: 'Client',
    render: ({ name, note }) => (
      <div>
        <TextLink to={`/clients/${name}`}>{name}</TextLink>
        {note !== '' && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {note}
          </Text>
        )}
      </div>
    ),
  },
  { title: 'Groups', render: ({ groups }) => (groups.length > 0 ? <Tags tags={groups} /> : 'None') },
  { title: 'Keys', render: (client) => <Keys client={client} /> },
  { title: 'Last used', render: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Ago at={lastUsedAt} />) },
  { title: 'From', render: ({ lastAddress }) => lastAddress ?? '–' },
  {
    title: 'With',
    render: ({ lastProgram }) => (
      <Text size="sm" lineClamp={2}>
        {lastProgram ?? '–'}
      </Text>
    ),
  },
];

export function ClientsTable({ clients }: { clients: readonly Client[] }) {
  return <DataTable label="Clients" columns={COLUMNS} rows={clients} keyOf={({ name }) => name} />;
}

function Keys({ client: { keys, isDefault, hasValidKey, expiresAt } }: { client: Client }) {
  return (
    <Stack gap={2} align="start">
      {isDefault && hasValidKey && <Text size="sm">mcp.api_key</Text>}
      {keys.map(({ id, shown }) => (
        <Code key={id}>{shown}…</Code>
      ))}
      {!hasValidKey && <Badge color="gray">No valid key</Badge>}
      {hasValidKey && expiresAt !== null && (
        <Text size="sm" c="dimmed">
          Expires <Until at={expiresAt} />
        </Text>
      )}
    </Stack>
  );
}

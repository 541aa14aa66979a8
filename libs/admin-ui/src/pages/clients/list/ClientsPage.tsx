import { Badge, Button, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Columns, TablePanel } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { Ago, Until } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { SearchField } from '../../../components/SearchField';
import { Tags } from '../../../components/Tags';
import { TextLink } from '../../../components/TextLink';
import { useFoundRows } from '../../../components/use-found-rows';
import { type Client, useClients, useIsCreatingClient } from '../use-clients';
import { AddClientForm } from './AddClientForm';

const COLUMNS: Columns<Client> = {
  Client: ({ name, note }) => (
    <div>
      <TextLink to={`/clients/${name}`}>{name}</TextLink>
      {note !== '' && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {note}
        </Text>
      )}
    </div>
  ),
  Groups: ({ groups }) => (groups.length > 0 ? <Tags tags={groups} /> : 'None'),
  Keys: (client) => <Keys client={client} />,
  'Last used': ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Ago at={lastUsedAt} />),
  From: ({ lastAddress }) => lastAddress ?? '–',
  With: ({ lastProgram }) => (
    <Text size="sm" lineClamp={2}>
      {lastProgram ?? '–'}
    </Text>
  ),
};

const textsOf = ({ name, note, groups }: Client) => [name, note, ...groups];

export default function ClientsPage() {
  const query = useClients();
  const { field, found, pages } = useFoundRows(query.data, textsOf);
  const [isAdding, setAdding] = useState(false);
  const isCreating = useIsCreatingClient();
  return (
    <>
      <PageHeader
        title="Clients"
        about="Who may call this service. Give each client its own key: callers that share one can't be distinguished."
        actions={
          <OnlyFor role="admin">
            <Button
              variant={isAdding ? 'default' : 'filled'}
              disabled={isCreating}
              onClick={() => setAdding(!isAdding)}
            >
              {isAdding ? 'Cancel' : 'New client'}
            </Button>
          </OnlyFor>
        }
      />
      <Stack>
        {isAdding && <AddClientForm onMade={() => setAdding(false)} />}
        <SearchField label="Search clients" placeholder="Part of a name, a note or a group" {...field} />
        <TablePanel
          label="Clients"
          query={query}
          columns={COLUMNS}
          rows={found}
          keyOf={({ name }) => name}
          pages={pages}
          empty={<EmptyState title="No client found">Try a shorter search.</EmptyState>}
        />
      </Stack>
    </>
  );
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

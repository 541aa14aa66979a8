import { Button, Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../../components/EmptyState';
import { LoadMore } from '../../../components/LoadMore';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { SearchField } from '../../../components/SearchField';
import { useFoundRows } from '../../../components/use-found-rows';
import { type Client, useClients, useIsCreatingClient } from '../use-clients';
import { AddClientForm } from './AddClientForm';
import { ClientsTable } from './ClientsTable';

const textsOf = ({ name, note, groups }: Client) => [name, note, ...groups];

export default function ClientsPage() {
  const query = useClients();
  const { search, setSearch, found, pages } = useFoundRows(query.data, textsOf);
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
        <SearchField
          label="Search clients"
          placeholder="Part of a name, a note or a group"
          value={search}
          onChange={setSearch}
        />
        <QueryState query={query} />
        {found && (
          <Paper withBorder p="md">
            {found.length > 0 ? (
              <ClientsTable clients={found} />
            ) : (
              <EmptyState title="No client found">Try a shorter search.</EmptyState>
            )}
            <LoadMore pages={pages} />
          </Paper>
        )}
      </Stack>
    </>
  );
}

import { Button, Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { useClients, useIsCreatingClient } from '../use-clients';
import { AddClientForm } from './AddClientForm';
import { ClientsTable } from './ClientsTable';

export default function ClientsPage() {
  const query = useClients();
  const clients = query.data;
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
        <QueryState query={query} />
        {clients && (
          <Paper withBorder p="md">
            <ClientsTable clients={clients} />
          </Paper>
        )}
      </Stack>
    </>
  );
}

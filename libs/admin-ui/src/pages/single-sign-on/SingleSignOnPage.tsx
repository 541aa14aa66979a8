import { Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../components/EmptyState';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { ProviderForm } from './ProviderForm';
import { ProvidersTable } from './ProvidersTable';
import { useProviders } from './use-providers';

export default function SingleSignOnPage() {
  const query = useProviders();
  const providers = query.data;
  // Counted, because the same provider may be chosen again.
  const [edited, setEdited] = useState<{ name?: string; times: number }>({ times: 0 });
  return (
    <>
      <PageHeader
        title="Single sign-on"
        about="Your company's OpenID Connect providers. People log in there, and get accounts, roles and groups by your rules."
      />
      <Stack>
        <QueryState query={query} />
        {providers && (
          <Paper withBorder p="md">
            {providers.length > 0 ? (
              <ProvidersTable providers={providers} onEdit={(name) => setEdited({ name, times: edited.times + 1 })} />
            ) : (
              <EmptyState title="No providers yet">People log in with a name and a password.</EmptyState>
            )}
          </Paper>
        )}
        <ProviderForm
          key={edited.times}
          provider={providers?.find(({ name }) => name === edited.name)}
          onDone={() => setEdited({ times: edited.times + 1 })}
        />
      </Stack>
    </>
  );
}

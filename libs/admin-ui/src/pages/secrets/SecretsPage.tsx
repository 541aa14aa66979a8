import { OnlyFor } from '../../components/OnlyFor';
import { Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../components/EmptyState';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { SecretForm } from './SecretForm';
import { SecretsTable } from './SecretsTable';
import { useSecrets } from './use-secrets';

export default function SecretsPage() {
  const query = useSecrets();
  const secrets = query.data;
  // Counted, because the same secret may be chosen again.
  const [edited, setEdited] = useState<{ name?: string; times: number }>({ times: 0 });
  return (
    <>
      <PageHeader
        title="Secrets"
        about="Passwords and tokens that workflows use by name, and where they may go. They are stored encrypted, and cannot be read again."
      />
      <Stack>
        <OnlyFor role="admin">
          <SecretForm key={edited.times} secrets={secrets ?? []} edited={edited.name} />
        </OnlyFor>
        <QueryState query={query} />
        {secrets && (
          <Paper withBorder p="md">
            {secrets.length > 0 ? (
              <SecretsTable secrets={secrets} onEdit={(name) => setEdited({ name, times: edited.times + 1 })} />
            ) : (
              <EmptyState title="No secrets yet">
                A workflow lists the secrets that it uses in use.secrets, and calls other systems with them.
              </EmptyState>
            )}
          </Paper>
        )}
      </Stack>
    </>
  );
}

import { OnlyFor } from '../../components/OnlyFor';
import { Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../components/EmptyState';
import { ErrorNotice } from '../../components/ErrorNotice';
import { LoadingLines } from '../../components/LoadingLines';
import { PageHeader } from '../../components/PageHeader';
import { SecretForm } from './SecretForm';
import { SecretsTable } from './SecretsTable';
import { useSecrets } from './use-secrets';

export default function SecretsPage() {
  const { data: secrets, error, isPending, refetch } = useSecrets();
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
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {isPending && <LoadingLines />}
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

import { OnlyFor } from '../../components/OnlyFor';
import { Paper, Stack } from '@mantine/core';
import { EmptyState } from '../../components/EmptyState';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { useEditedRow } from '../../components/use-unsaved-changes';
import { SecretForm } from './SecretForm';
import { SecretsTable } from './SecretsTable';
import { useSecrets } from './use-secrets';

export default function SecretsPage() {
  const query = useSecrets();
  const secrets = query.data;
  const { name: edited, formKey, edit, end, setHasChanges } = useEditedRow(secrets);
  return (
    <>
      <PageHeader
        title="Secrets"
        about="Passwords and tokens that workflows use by name, and where they may go. They are stored encrypted, and cannot be read again."
      />
      <Stack>
        <OnlyFor role="admin">
          <SecretForm key={formKey} secrets={secrets ?? []} edited={edited} onHasChanges={setHasChanges} onDone={end} />
        </OnlyFor>
        <QueryState query={query} />
        {secrets && (
          <Paper withBorder p="md">
            {secrets.length > 0 ? (
              <SecretsTable secrets={secrets} onEdit={edit} />
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

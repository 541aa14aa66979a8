import { Paper, Stack } from '@mantine/core';
import { EmptyState } from '../../components/EmptyState';
import { PageHeader } from '../../components/PageHeader';
import { QueryState } from '../../components/QueryState';
import { useEditedRow } from '../../components/use-unsaved-changes';
import { ProviderForm } from './ProviderForm';
import { ProvidersTable } from './ProvidersTable';
import { useProviders } from './use-providers';

export default function SingleSignOnPage() {
  const query = useProviders();
  const providers = query.data;
  const { name: edited, formKey, edit, end, setHasChanges } = useEditedRow(providers);
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
              <ProvidersTable providers={providers} onEdit={edit} />
            ) : (
              <EmptyState title="No providers yet">People log in with a name and a password.</EmptyState>
            )}
          </Paper>
        )}
        <ProviderForm
          key={formKey}
          provider={providers?.find(({ name }) => name === edited)}
          onHasChanges={setHasChanges}
          onDone={end}
        />
      </Stack>
    </>
  );
}

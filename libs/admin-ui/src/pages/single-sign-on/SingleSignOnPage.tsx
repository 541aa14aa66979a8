import { Alert, Badge, Group, Stack, Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { type Columns, TablePanel } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { showError, showOutcome } from '../../components/notices';
import { PageHeader } from '../../components/PageHeader';
import { RowButton } from '../../components/RowButton';
import { useEditedRow } from '../../components/use-unsaved-changes';
import { ProviderForm } from './ProviderForm';
import { type Provider, useDeleteProvider, useProviders, useTestProvider } from './use-providers';

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
        <TablePanel
          label="Providers"
          query={query}
          columns={columnsFor(edit)}
          rows={providers}
          keyOf={({ name }) => name}
          empty={<EmptyState title="No providers yet">People log in with a name and a password.</EmptyState>}
        />
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

const columnsFor = (onEdit: (name: string) => void): Columns<Provider> => ({
  Provider: ({ name, title, enabled }) => (
    <div>
      {title} {!enabled && <Badge color="gray">Disabled</Badge>}
      <Text size="sm" c="dimmed">
        {name}
      </Text>
    </div>
  ),
  Issuer: ({ issuer }) => (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {issuer}
    </Text>
  ),
  Actions: (provider) => <Actions provider={provider} onEdit={onEdit} />,
});

function Actions({ provider: { name }, onEdit }: { provider: Provider; onEdit: (name: string) => void }) {
  const test = useTestProvider(name);
  const remove = useDeleteProvider(name);
  const ask = () =>
    confirm({
      title: `Delete ${name}?`,
      text: 'Nobody can log in there any more. Accounts stay, with their open sessions.',
      confirm: 'Delete provider',
      onConfirm: () => showOutcome(remove.mutateAsync(), `${name} is deleted.`),
    });
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <RowButton of={name} isBusy={test.isPending} onClick={() => test.mutate(undefined, { onError: showError })}>
          Test
        </RowButton>
        <RowButton
          of={name}
          onClick={() => {
            test.reset(); // the result does not apply to the next version
            onEdit(name);
          }}
        >
          Change
        </RowButton>
        <RowButton of={name} isBusy={remove.isPending} onClick={ask}>
          Delete
        </RowButton>
      </Group>
      {test.data && <Findings {...test.data} />}
    </Stack>
  );
}

function Findings({ problems, warnings }: { problems: readonly string[]; warnings: readonly string[] }) {
  const isGood = problems.length === 0;
  return (
    <Alert role="status" color={isGood ? 'green' : 'red'}>
      {isGood && <Text size="sm">The provider answers as it should.</Text>}
      {[...problems, ...warnings].map((finding) => (
        <Text key={finding} size="sm">
          {finding}
        </Text>
      ))}
    </Alert>
  );
}

import { Alert, Badge, Group, Stack, Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { type Column, DataTable } from '../../components/DataTable';
import { showDone, showError } from '../../components/notices';
import { RowButton } from '../../components/RowButton';
import { type Provider, useDeleteProvider, useTestProvider } from './use-providers';

interface ProvidersTableProps {
  providers: readonly Provider[];
  onEdit: (name: string) => void;
}

export function ProvidersTable({ providers, onEdit }: ProvidersTableProps) {
  const columns: readonly Column<Provider>[] = [
    {
      title: 'Provider',
      render: ({ name, title, enabled }) => (
        <div>
          {title} {!enabled && <Badge color="gray">Disabled</Badge>}
          <Text size="sm" c="dimmed">
            {name}
          </Text>
        </div>
      ),
    },
    {
      title: 'Issuer',
      render: ({ issuer }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {issuer}
        </Text>
      ),
    },
    { title: 'Actions', render: (provider) => <Actions provider={provider} onEdit={onEdit} /> },
  ];
  return <DataTable label="Providers" columns={columns} rows={providers} keyOf={({ name }) => name} />;
}

function Actions({ provider: { name }, onEdit }: { provider: Provider; onEdit: (name: string) => void }) {
  const test = useTestProvider(name);
  const remove = useDeleteProvider(name);
  const ask = () =>
    confirm({
      title: `Delete ${name}?`,
      text: 'Nobody can log in there any more. Accounts stay, with their open sessions.',
      confirm: 'Delete provider',
      onConfirm: () => void remove.mutateAsync().then(() => showDone(`${name} is deleted.`), showError),
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

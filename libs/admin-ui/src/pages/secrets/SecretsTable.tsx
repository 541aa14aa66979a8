import { OnlyFor } from '../../components/OnlyFor';
import { Code, Group, Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { type Column, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { showDone, showError } from '../../components/notices';
import { RowButton } from '../../components/RowButton';
import { type Limits, placesOf } from './places';
import { type Secret, useDeleteSecret } from './use-secrets';

interface SecretsTableProps {
  secrets: readonly Secret[];
  onEdit: (name: string) => void;
}

export function SecretsTable({ secrets, onEdit }: SecretsTableProps) {
  const columns: readonly Column<Secret>[] = [
    { title: 'Name', render: ({ name }) => <Code>{name}</Code> },
    { title: 'May go to', render: (secret) => <Places limits={secret} /> },
    { title: 'Changed', render: ({ updatedAt }) => <Ago at={updatedAt} /> },
    {
      title: 'Actions',
      render: ({ name }) => (
        <OnlyFor role="admin">
          <Group gap="xs">
            <RowButton of={name} onClick={() => onEdit(name)}>
              Change
            </RowButton>
            <DeleteSecretButton name={name} />
          </Group>
        </OnlyFor>
      ),
    },
  ];
  return <DataTable label="Secrets" columns={columns} rows={secrets} keyOf={({ name }) => name} />;
}

function Places({ limits }: { limits: Limits }) {
  return (
    <div>
      {placesOf(limits).map((line) => (
        <Text key={line} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {line}
        </Text>
      ))}
    </div>
  );
}

function DeleteSecretButton({ name }: { name: string }) {
  const remove = useDeleteSecret(name);
  const ask = () =>
    confirm({
      title: `Delete ${name}?`,
      text: "Workflow steps that use it will fail. The value can't be recovered.",
      confirm: 'Delete secret',
      onConfirm: () => void remove.mutateAsync().then(() => showDone(`${name} is deleted.`), showError),
    });
  return (
    <RowButton of={name} isBusy={remove.isPending} onClick={ask}>
      Delete
    </RowButton>
  );
}

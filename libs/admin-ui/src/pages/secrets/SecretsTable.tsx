import { OnlyFor } from '../../components/OnlyFor';
import { Button, Code } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { type Column, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { showDone, showError } from '../../components/notices';
import { type Secret, useDeleteSecret } from './use-secrets';

const COLUMNS: readonly Column<Secret>[] = [
  { title: 'Name', render: ({ name }) => <Code>{name}</Code> },
  { title: 'Set', render: ({ updatedAt }) => <Ago at={updatedAt} /> },
  {
    title: 'Actions',
    render: ({ name }) => (
      <OnlyFor role="admin">
        <DeleteSecretButton name={name} />
      </OnlyFor>
    ),
  },
];

export function SecretsTable({ secrets }: { secrets: readonly Secret[] }) {
  return <DataTable label="Secrets" columns={COLUMNS} rows={secrets} keyOf={({ name }) => name} />;
}

function DeleteSecretButton({ name }: { name: string }) {
  const remove = useDeleteSecret(name);
  const ask = () =>
    confirm({
      title: `Delete ${name}?`,
      text: "Workflow steps that use it will fail. The value can't be recovered.",
      confirm: 'Delete secret',
      onConfirm: () =>
        remove.mutate(undefined, { onSuccess: () => showDone(`${name} is deleted.`), onError: showError }),
    });
  return (
    <Button size="xs" variant="default" loading={remove.isPending} onClick={ask} aria-label={`Delete: ${name}`}>
      Delete
    </Button>
  );
}

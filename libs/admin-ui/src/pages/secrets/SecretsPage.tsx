import { Code, Group, Stack, Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { type Columns, TablePanel } from '../../components/DataTable';
import { EmptyState } from '../../components/EmptyState';
import { Ago } from '../../components/Moment';
import { showOutcome } from '../../components/notices';
import { OnlyFor } from '../../components/OnlyFor';
import { PageHeader } from '../../components/PageHeader';
import { RowButton } from '../../components/RowButton';
import { useEditedRow } from '../../components/use-unsaved-changes';
import { type Limits, placesOf } from './places';
import { SecretForm } from './SecretForm';
import { type Secret, useDeleteSecret, useSecrets } from './use-secrets';

export default function SecretsPage() {
  const query = useSecrets();
  const secrets = query.data;
  const { name: edited, formKey, edit, end, setHasChanges } = useEditedRow(secrets);
  return (
    <>
      <PageHeader
        title="Secrets"
        about="Passwords and tokens that workflows and skill modules use by name, and where they may go. They are stored encrypted, and cannot be read again."
      />
      <Stack>
        <OnlyFor role="admin">
          <SecretForm key={formKey} secrets={secrets ?? []} edited={edited} onHasChanges={setHasChanges} onDone={end} />
        </OnlyFor>
        <TablePanel
          label="Secrets"
          query={query}
          columns={columnsFor(edit)}
          rows={secrets}
          keyOf={({ name }) => name}
          empty={
            <EmptyState title="No secrets yet">
              A workflow lists the secrets that it uses in use.secrets, and calls other systems with them.
            </EmptyState>
          }
        />
      </Stack>
    </>
  );
}

const columnsFor = (onEdit: (name: string) => void): Columns<Secret> => ({
  Name: ({ name }) => <Code>{name}</Code>,
  'May go to': (secret) => <Places limits={secret} />,
  Changed: ({ updatedAt }) => <Ago at={updatedAt} />,
  Actions: ({ name }) => (
    <OnlyFor role="admin">
      <Group gap="xs">
        <RowButton of={name} onClick={() => onEdit(name)}>
          Change
        </RowButton>
        <DeleteSecretButton name={name} />
      </Group>
    </OnlyFor>
  ),
});

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
      onConfirm: () => showOutcome(remove.mutateAsync(), `${name} is deleted.`),
    });
  return (
    <RowButton of={name} isBusy={remove.isPending} onClick={ask}>
      Delete
    </RowButton>
  );
}

import { Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { type Columns, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { showError } from '../../components/notices';
import { type RowAction, RowButton } from '../../components/RowButton';
import type { AccountIdentity } from './use-identities';

interface IdentitiesTableProps {
  identities: readonly AccountIdentity[];
  remove: RowAction;
}

/** Lists the provider identities of the owner of an account. */
export function IdentitiesTable({ identities, remove }: IdentitiesTableProps) {
  const ask = ({ id, subject }: AccountIdentity) =>
    confirm({
      title: 'Remove this link?',
      text: `${subject} can no longer log in to this account. Open sessions stay until they are ended.`,
      confirm: 'Remove link',
      onConfirm: () => remove.mutate(id, { onError: showError }),
    });
  const columns: Columns<AccountIdentity> = {
    Provider: ({ issuer, subject }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">{issuer}</Text>
        <Text size="xs" c="dimmed">
          {subject}
        </Text>
      </div>
    ),
    Linked: ({ createdAt }) => <Ago at={createdAt} />,
    Actions: (identity) => (
      <RowButton of={identity.subject} isBusy={remove.isPending} onClick={() => ask(identity)}>
        Remove link
      </RowButton>
    ),
  };
  return <DataTable label="Single sign-on" columns={columns} rows={identities} keyOf={({ id }) => id} />;
}

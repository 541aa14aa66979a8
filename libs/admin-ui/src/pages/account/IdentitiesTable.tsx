import { Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { type Column, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { RowButton } from '../../components/RowButton';
import type { AccountIdentity } from './use-identities';

interface IdentitiesTableProps {
  identities: readonly AccountIdentity[];
  isRemoving: boolean;
  onRemove: (id: string) => void;
}

/** Lists the provider identities of the owner of an account. */
export function IdentitiesTable({ identities, isRemoving, onRemove }: IdentitiesTableProps) {
  const ask = ({ id, subject }: AccountIdentity) =>
    confirm({
      title: 'Remove this link?',
      text: `${subject} can no longer log in to this account. Open sessions stay until they are ended.`,
      confirm: 'Remove link',
      onConfirm: () => onRemove(id),
    });
  const columns: readonly Column<AccountIdentity>[] = [
    {
      title: 'Provider',
      render: ({ issuer, subject }) => (
        <div style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm">{issuer}</Text>
          <Text size="xs" c="dimmed">
            {subject}
          </Text>
        </div>
      ),
    },
    { title: 'Linked', render: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: 'Actions',
      render: (identity) => (
        <RowButton of={identity.subject} isBusy={isRemoving} onClick={() => ask(identity)}>
          Remove link
        </RowButton>
      ),
    },
  ];
  return <DataTable label="Single sign-on" columns={columns} rows={identities} keyOf={({ id }) => id} />;
}

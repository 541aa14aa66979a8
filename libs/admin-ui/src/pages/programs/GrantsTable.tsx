import { Text } from '@mantine/core';
import { Caller } from '../../components/Caller';
import { confirm } from '../../components/confirm';
import { type Column, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { RowButton } from '../../components/RowButton';
import type { Grant } from './use-programs';

interface GrantsTableProps {
  grants: readonly Grant[];
  /** True when the table shows the owners of the grants. */
  showsPeople?: boolean;
  mayEnd: boolean;
  isEnding: boolean;
  onEnd: (id: string) => void;
}

/** The grants of people to programs. */
export function GrantsTable({ grants, showsPeople = false, mayEnd, isEnding, onEnd }: GrantsTableProps) {
  const ask = ({ id, name }: Grant) =>
    confirm({
      title: `End what ${name} may do?`,
      text: 'It is logged out at once, and has to ask again.',
      confirm: 'Revoke',
      onConfirm: () => onEnd(id),
    });
  const columns: readonly Column<Grant>[] = [
    { title: 'Program', render: (grant) => <ProgramOf grant={grant} /> },
    ...(showsPeople ? [{ title: 'Person', render: ({ person }: Grant) => <Caller name={`person:${person}`} /> }] : []),
    { title: 'Allowed', render: ({ createdAt }) => <Ago at={createdAt} /> },
    { title: 'Last used', render: ({ usedAt }) => (usedAt ? <Ago at={usedAt} /> : 'not yet') },
    {
      title: 'Actions',
      render: (grant) =>
        mayEnd && (
          <RowButton
            of={`${grant.name}${showsPeople ? ` of ${grant.person}` : ''}`}
            isBusy={isEnding}
            onClick={() => ask(grant)}
          >
            Revoke
          </RowButton>
        ),
    },
  ];
  return <DataTable label="Programs" columns={columns} rows={grants} keyOf={({ id }) => id} />;
}

function ProgramOf({ grant: { name, proven, host } }: { grant: Grant }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">{name}</Text>
      <Text size="xs" c="dimmed">
        {proven === '' ? `not proven; at ${host}` : `of ${proven}; at ${host}`}
      </Text>
    </div>
  );
}

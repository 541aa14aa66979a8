import { Text } from '@mantine/core';
import { Caller } from '../../components/Caller';
import { confirm } from '../../components/confirm';
import { type Columns, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { showError } from '../../components/notices';
import { type RowAction, RowButton } from '../../components/RowButton';
import type { Grant } from './use-programs';

interface GrantsTableProps {
  grants: readonly Grant[];
  /** True when the table shows the owners of the grants. */
  showsPeople?: boolean;
  mayEnd: boolean;
  end: RowAction;
}

/** The grants of people to programs. */
export function GrantsTable({ grants, showsPeople = false, mayEnd, end }: GrantsTableProps) {
  const ask = ({ id, name }: Grant) =>
    confirm({
      title: `Revoke the access of ${name}?`,
      text: 'It is signed out at once, and has to ask again.',
      confirm: 'Revoke',
      onConfirm: () => end.mutate(id, { onError: showError }),
    });
  const columns: Columns<Grant> = {
    Program: (grant) => <ProgramOf grant={grant} />,
    ...(showsPeople && { Person: ({ person }) => <Caller name={`person:${person}`} /> }),
    Allowed: ({ createdAt }) => <Ago at={createdAt} />,
    'Last used': ({ usedAt }) => (usedAt ? <Ago at={usedAt} /> : 'not yet'),
    Actions: (grant) =>
      mayEnd && (
        <RowButton
          of={`${grant.name}${showsPeople ? ` of ${grant.person}` : ''}`}
          isBusy={end.isPending}
          onClick={() => ask(grant)}
        >
          Revoke
        </RowButton>
      ),
  };
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

import { Badge, Text } from '@mantine/core';
import { confirm } from '../../components/confirm';
import { type Column, DataTable } from '../../components/DataTable';
import { Ago } from '../../components/Moment';
import { showDone, showError } from '../../components/notices';
import { OnlyFor } from '../../components/OnlyFor';
import { RowButton } from '../../components/RowButton';
import { type Program, useRemoveProgram } from './use-programs';

const COLUMNS: readonly Column<Program>[] = [
  {
    title: 'Program',
    render: ({ name, id, isListed }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">
          {name || id} {isListed && <Badge color="indigo">entered</Badge>}
        </Text>
        <Text size="xs" ff="monospace" c="dimmed">
          {id}
        </Text>
      </div>
    ),
  },
  {
    title: 'Sends people to',
    render: ({ redirectUris }) => (
      <div style={{ overflowWrap: 'anywhere' }}>
        {redirectUris.map((uri) => (
          <Text size="sm" key={uri}>
            {uri}
          </Text>
        ))}
      </div>
    ),
  },
  { title: 'Since', render: ({ createdAt }) => <Ago at={createdAt} /> },
  { title: 'Last allowed', render: ({ usedAt }) => (usedAt ? <Ago at={usedAt} /> : 'not yet') },
  {
    title: 'Actions',
    render: (program) => (
      <OnlyFor role="admin">
        <RemoveButton program={program} />
      </OnlyFor>
    ),
  },
];

export function ProgramsTable({ programs }: { programs: readonly Program[] }) {
  return <DataTable label="Registered programs" columns={COLUMNS} rows={programs} keyOf={({ id }) => id} />;
}

function RemoveButton({ program: { id, name } }: { program: Program }) {
  const remove = useRemoveProgram();
  const shown = name || id;
  const ask = () =>
    confirm({
      title: `Remove ${shown}?`,
      text: 'Everything that people have allowed it ends. It may register again, unless oauth.programs is listed.',
      confirm: 'Remove program',
      onConfirm: () => void remove.mutateAsync(id).then(() => showDone(`${shown} is removed.`), showError),
    });
  return (
    <RowButton of={shown} isBusy={remove.isPending} onClick={ask}>
      Remove
    </RowButton>
  );
}

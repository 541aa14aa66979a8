import { Group, Text } from '@mantine/core';
import { Caller } from '../../../components/Caller';
import { confirm } from '../../../components/confirm';
import { type Column, DataTable } from '../../../components/DataTable';
import { Ago, Until } from '../../../components/Moment';
import { showDone, showError } from '../../../components/notices';
import { OnlyFor } from '../../../components/OnlyFor';
import { RowButton } from '../../../components/RowButton';
import { countOf } from '../../../text/format';
import { type RemovedDocument, type RestoredDocument, usePurge, useRestore } from './use-trash';

const COLUMNS: readonly Column<RemovedDocument>[] = [
  {
    title: 'Document',
    render: ({ documentId, title, path, versions }) => (
      <div>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {path ?? documentId}
          {versions > 0 && `, with ${countOf(versions, 'earlier version')}`}
        </Text>
      </div>
    ),
  },
  {
    title: 'Removed',
    render: ({ removedAt, removedBy }) => (
      <div>
        <Ago at={removedAt} />
        {removedBy !== null && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            by <Caller name={removedBy} />
          </Text>
        )}
      </div>
    ),
  },
  { title: 'Deleted for good', render: ({ expiresAt }) => <Until at={expiresAt} /> },
  {
    title: 'Actions',
    render: (removed) => (
      <OnlyFor role="editor">
        <TrashActions removed={removed} />
      </OnlyFor>
    ),
  },
];

export function TrashTable({ documents }: { documents: readonly RemovedDocument[] }) {
  return <DataTable label="Removed documents" columns={COLUMNS} rows={documents} keyOf={({ id }) => id} />;
}

function TrashActions({ removed: { id, title } }: { removed: RemovedDocument }) {
  const restore = useRestore(id);
  const purge = usePurge(id);
  const askToPurge = () =>
    confirm({
      title: `Delete ${title} for good?`,
      text: 'Its history is deleted, too. This cannot be undone.',
      confirm: 'Delete for good',
      onConfirm: () => void purge.mutateAsync().then(() => showDone(`${title} is deleted for good.`), showError),
    });
  return (
    <Group gap="xs">
      <RowButton
        of={title}
        isBusy={restore.isPending}
        onClick={() => void restore.mutateAsync().then((done) => showDone(restoredInWords(done)), showError)}
      >
        Restore
      </RowButton>
      <RowButton of={title} isBusy={purge.isPending} onClick={askToPurge}>
        Delete for good
      </RowButton>
    </Group>
  );
}

function restoredInWords({ title, id, formerId, path, formerPath }: RestoredDocument): string {
  const moved = id === formerId ? '' : ` Another document has its address ${formerId} now; this one is ${id}.`;
  const isUnlinked = formerPath !== null && path === null;
  return `${title} is restored.${moved}${isUnlinked ? ` Imports of ${formerPath} go on with another document.` : ''}`;
}

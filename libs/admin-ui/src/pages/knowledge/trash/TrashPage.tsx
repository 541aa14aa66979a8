import { Group, Stack, Text } from '@mantine/core';
import { Caller } from '../../../components/Caller';
import { confirm } from '../../../components/confirm';
import { type Columns, TablePanel } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { Ago, Until } from '../../../components/Moment';
import { showOutcome } from '../../../components/notices';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { RowButton } from '../../../components/RowButton';
import { TextLink } from '../../../components/TextLink';
import { countOf } from '../../../text/format';
import { api, type Schemas, useChange, usePages } from '../../../api/client';
import { KNOWLEDGE_KEY } from '../use-knowledge';

const COLUMNS: Columns<RemovedDocument> = {
  Document: ({ documentId, title, path, versions }) => (
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
  Removed: ({ removedAt, removedBy }) => (
    <div>
      <Ago at={removedAt} />
      {removedBy !== null && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          by <Caller name={removedBy} />
        </Text>
      )}
    </div>
  ),
  'Deleted for good': ({ expiresAt }) => <Until at={expiresAt} />,
  Actions: (removed) => (
    <OnlyFor role="editor">
      <TrashActions removed={removed} />
    </OnlyFor>
  ),
};

export default function TrashPage() {
  const trash = useTrash();
  return (
    <>
      <TextLink to="/knowledge">All documents</TextLink>
      <PageHeader
        title="Removed documents"
        about="Assistants do not find them. They can be restored with their history for 30 days."
      />
      <Stack>
        <TablePanel
          label="Removed documents"
          query={trash}
          columns={COLUMNS}
          rows={trash.data?.items}
          keyOf={({ id }) => id}
          pages={trash}
          empty={
            <EmptyState title="No removed documents">
              A document that is deleted here, or removed by an assistant or an import, appears here.
            </EmptyState>
          }
        />
      </Stack>
    </>
  );
}

function TrashActions({ removed: { id, title } }: { removed: RemovedDocument }) {
  const restore = useRestore(id);
  const purge = usePurge(id);
  const askToPurge = () =>
    confirm({
      title: `Delete ${title} for good?`,
      text: 'Its history is deleted, too. This cannot be undone.',
      confirm: 'Delete for good',
      onConfirm: () => showOutcome(purge.mutateAsync(), `${title} is deleted for good.`),
    });
  return (
    <Group gap="xs">
      <RowButton
        of={title}
        isBusy={restore.isPending}
        onClick={() => showOutcome(restore.mutateAsync(), restoredInWords)}
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

type RemovedDocument = Schemas['RemovedDocumentView'];
type RestoredDocument = Schemas['RestoredDocumentView'];

const PAGE_SIZE = 30;

/** Lists the documents in the trash, last removed first. */
const useTrash = () =>
  usePages([...KNOWLEDGE_KEY, 'trash'], (cursor) =>
    api.GET('/admin/api/knowledge-trash', { params: { query: { limit: PAGE_SIZE, cursor } } }),
  );

const useRestore = (id: string) =>
  useChange([KNOWLEDGE_KEY], () => api.POST('/admin/api/knowledge-trash/{id}/restore', { params: { path: { id } } }));

const usePurge = (id: string) =>
  useChange([[...KNOWLEDGE_KEY, 'trash']], () =>
    api.DELETE('/admin/api/knowledge-trash/{id}', { params: { path: { id } } }),
  );

import { Paper, Stack } from '@mantine/core';
import { EmptyState } from '../../../components/EmptyState';
import { LoadMore } from '../../../components/LoadMore';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { TextLink } from '../../../components/TextLink';
import { TrashTable } from './TrashTable';
import { useTrash } from './use-trash';

export default function TrashPage() {
  const trash = useTrash();
  const items = trash.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <TextLink to="/knowledge">All documents</TextLink>
      <PageHeader
        title="Removed documents"
        about="Assistants do not find them. They can be restored with their history for 30 days."
      />
      <Stack>
        <QueryState query={trash} />
        {items && (
          <Paper withBorder p="md">
            {items.length > 0 ? (
              <TrashTable documents={items} />
            ) : (
              <EmptyState title="No removed documents">
                A document that is deleted here, or removed by an assistant or an import, appears here.
              </EmptyState>
            )}
            <LoadMore pages={trash} />
          </Paper>
        )}
      </Stack>
    </>
  );
}

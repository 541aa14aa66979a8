import { OnlyFor } from '../../../components/OnlyFor';
import { Button, Group, Paper, Stack } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../../components/EmptyState';
import { LoadMore } from '../../../components/LoadMore';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { SearchField } from '../../../components/SearchField';
import { useSearch } from '../../../components/use-search';
import { useMemoryEntries } from '../use-memory';
import { MemoryTable } from './MemoryTable';
import { NamespaceSelect } from './NamespaceSelect';

export default function MemoryPage() {
  const { search, setSearch, settledSearch } = useSearch();
  const { search: namespace, setSearch: setNamespace, settledSearch: settledNamespace } = useSearch('namespace');
  const entries = useMemoryEntries(settledSearch, settledNamespace);
  const items = entries.data?.pages.flatMap((page) => page.items);
  const isNarrowed = settledSearch !== '' || settledNamespace !== '';
  return (
    <>
      <PageHeader
        title="Memory"
        about="Notes that assistants keep for later and share with each other."
        actions={
          <OnlyFor role="editor">
            <Button component={Link} to="/memory/new" leftSection={<PlusIcon size={16} aria-hidden />}>
              New entry
            </Button>
          </OnlyFor>
        }
      />
      <Stack>
        <Group align="end">
          <SearchField label="Search memory" placeholder="Words in the entries" value={search} onChange={setSearch} />
          <NamespaceSelect value={namespace} onChange={setNamespace} />
        </Group>
        <QueryState query={entries} />
        {items && (
          <Paper withBorder p="md">
            {items.length > 0 ? (
              <MemoryTable entries={items} />
            ) : (
              <EmptyState title={isNarrowed ? 'No entry found' : 'Nothing is remembered yet'}>
                {isNarrowed
                  ? 'Try other words, or choose another namespace.'
                  : 'Ask a connected assistant to remember something; it will appear here.'}
              </EmptyState>
            )}
            <LoadMore pages={entries} />
          </Paper>
        )}
      </Stack>
    </>
  );
}

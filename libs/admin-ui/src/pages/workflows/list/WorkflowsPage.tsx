import { OnlyFor } from '../../../components/OnlyFor';
import { Button, Paper, Stack } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { EmptyState } from '../../../components/EmptyState';
import { LoadMore } from '../../../components/LoadMore';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { SearchField } from '../../../components/SearchField';
import { useSearch } from '../../../components/use-search';
import { useWorkflows } from '../use-workflows';
import { BrokenFiles } from './BrokenFiles';
import { WorkflowsTable } from './WorkflowsTable';

export default function WorkflowsPage() {
  const { search, setSearch, settledSearch } = useSearch();
  const workflows = useWorkflows(settledSearch);
  const items = workflows.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <PageHeader
        title="Workflows"
        about="Tools that are made of steps. Each call is a run that survives restarts and can wait for people."
        actions={
          <OnlyFor role="editor">
            <Button component={Link} to="/workflows/new" leftSection={<PlusIcon size={16} aria-hidden />}>
              New workflow
            </Button>
          </OnlyFor>
        }
      />
      <Stack>
        <SearchField
          label="Search workflows"
          placeholder="Part of a name or a title"
          value={search}
          onChange={setSearch}
        />
        <QueryState query={workflows} />
        <BrokenFiles files={workflows.data?.pages[0]?.brokenFiles ?? []} />
        {items && (
          <Paper withBorder p="md">
            {items.length > 0 ? (
              <WorkflowsTable workflows={items} />
            ) : (
              <EmptyState title={settledSearch ? 'No workflow found' : 'No workflows yet'}>
                {settledSearch
                  ? 'Try a shorter search.'
                  : 'Write one here, or put YAML files into the folder for workflows of the service.'}
              </EmptyState>
            )}
            <LoadMore pages={workflows} />
          </Paper>
        )}
      </Stack>
    </>
  );
}

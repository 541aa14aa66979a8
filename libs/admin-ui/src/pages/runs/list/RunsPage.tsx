import { OnlyFor } from '../../../components/OnlyFor';
import { Paper, Stack } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../../../components/EmptyState';
import { LoadMore } from '../../../components/LoadMore';
import { PageHeader } from '../../../components/PageHeader';
import { QueryState } from '../../../components/QueryState';
import { filterOf, isNarrowed } from '../run-filter';
import { Questions } from '../Questions';
import { useRuns } from '../use-runs';
import { RepeatAllButton } from './RepeatAllButton';
import { RunFilters } from './RunFilters';
import { RunsTable } from './RunsTable';

export default function RunsPage() {
  const [params] = useSearchParams();
  const filter = filterOf(params);
  const runs = useRuns(filter);
  const items = runs.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <PageHeader
        title="Runs"
        about="What workflows are doing and have done, the newest first."
        actions={
          items &&
          items.length > 0 && (
            <OnlyFor role="editor">
              <RepeatAllButton filter={filter} version="own" />
              <RepeatAllButton filter={filter} version="current" />
            </OnlyFor>
          )
        }
      />
      <Stack>
        <Questions />
        <RunFilters />
        <QueryState query={runs} />
        {items && (
          <Paper withBorder p="md">
            {items.length > 0 ? (
              <RunsTable runs={items} />
            ) : (
              <EmptyState title={isNarrowed(filter) ? 'No run found' : 'No runs yet'}>
                {isNarrowed(filter)
                  ? 'Choose other filters.'
                  : 'Runs appear when a workflow is called by an assistant, by its schedule, or started on its page.'}
              </EmptyState>
            )}
            <LoadMore pages={runs} />
          </Paper>
        )}
      </Stack>
    </>
  );
}

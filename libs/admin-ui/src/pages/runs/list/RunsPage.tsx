import { Group, Stack, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { Caller } from '../../../components/Caller';
import { type Columns, TablePanel } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { Ago, Until } from '../../../components/Moment';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { TextLink } from '../../../components/TextLink';
import { formatTook } from '../../../text/format';
import { Questions } from '../Questions';
import { filterOf, isNarrowed } from '../run-filter';
import { type RunSummary, useRuns } from '../use-runs';
import { RunState } from '../RunState';
import { RepeatAllButton } from './RepeatAllButton';
import { FilterChoice, FilterText } from '../../../components/FilterChoice';

const COLUMNS: Columns<RunSummary> = {
  Run: ({ id, name, version, error }) => (
    <div>
      <TextLink to={`/runs/${encodeURIComponent(id)}`}>{name}</TextLink>
      {version !== null && (
        <Text span size="sm" c="dimmed">
          {` ${version}`}
        </Text>
      )}
      {error && (
        <Text size="sm" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          {error.detail ?? error.title ?? error.type}
        </Text>
      )}
    </div>
  ),
  State: (run) => <RunState run={run} />,
  Client: ({ client }) => <Caller name={client} />,
  Started: ({ createdAt }) => <Ago at={createdAt} />,
  Took: ({ createdAt, endedAt, wakeAt }) => {
    if (endedAt) return formatTook(Date.parse(endedAt) - Date.parse(createdAt));
    return wakeAt ? (
      <>
        continues <Until at={wakeAt} />
      </>
    ) : null;
  },
};

export default function RunsPage() {
  const [params] = useSearchParams();
  const filter = filterOf(params);
  const runs = useRuns(filter);
  const items = runs.data?.items;
  return (
    <>
      <PageHeader
        title="Runs"
        about="Runs of workflows, in progress and finished, newest first."
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
        <TablePanel
          label="Runs"
          query={runs}
          columns={COLUMNS}
          rows={items}
          keyOf={({ id }) => id}
          pages={runs}
          empty={
            <EmptyState title={isNarrowed(filter) ? 'No run found' : 'No runs yet'}>
              {isNarrowed(filter)
                ? 'Choose other filters.'
                : 'Runs appear when a workflow is called by an assistant, by its schedule, or started on its page.'}
            </EmptyState>
          }
        />
      </Stack>
    </>
  );
}

const STATES = [
  { value: '', label: 'Any state' },
  { value: 'asking', label: 'Waits for an answer' },
  { value: 'pending', label: 'Pending' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
];
const TESTS = [
  { value: '', label: 'With tests' },
  { value: 'none', label: 'Without tests' },
  { value: 'only', label: 'Tests only' },
];

/** Controls of the filter, which is kept in the URL. */
function RunFilters() {
  return (
    <Group align="end" gap="sm">
      <FilterText label="Workflow" name="workflow" />
      <FilterChoice label="State" name="state" options={STATES} />
      <FilterText label="Client" name="client" />
      <FilterChoice label="Tests" name="tests" options={TESTS} />
    </Group>
  );
}

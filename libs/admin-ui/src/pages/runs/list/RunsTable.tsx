import { Text } from '@mantine/core';
import { Caller } from '../../../components/Caller';
import { type Column, DataTable } from '../../../components/DataTable';
import { Ago, Until } from '../../../components/Moment';
import { TextLink } from '../../../components/TextLink';
import { formatTook } from '../../../text/format';
import { RunState } from '../RunState';
import type { RunSummary } from '../run-types';

const COLUMNS: readonly Column<RunSummary>[] = [
  {
    title: 'Run',
    render: ({ id, name, version, error }) => (
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
  },
  { title: 'State', render: (run) => <RunState run={run} /> },
  { title: 'Client', render: ({ client }) => <Caller name={client} /> },
  { title: 'Started', render: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    title: 'Took',
    render: ({ createdAt, endedAt, wakeAt }) => {
      if (endedAt) return formatTook(Date.parse(endedAt) - Date.parse(createdAt));
      return wakeAt ? (
        <>
          continues <Until at={wakeAt} />
        </>
      ) : null;
    },
  },
];

export function RunsTable({ runs }: { runs: readonly RunSummary[] }) {
  return <DataTable label="Runs" columns={COLUMNS} rows={runs} keyOf={({ id }) => id} />;
}

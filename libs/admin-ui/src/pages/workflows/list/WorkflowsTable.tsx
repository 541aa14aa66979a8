import { Badge, Group, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { type Column, DataTable } from '../../../components/DataTable';
import { TextLink } from '../../../components/TextLink';
import { countOf } from '../../../text/format';
import { originOf } from '../origin';
import type { Workflow } from '../use-workflows';
import { WorkflowSwitch } from '../WorkflowSwitch';

const COLUMNS: readonly Column<Workflow>[] = [
  {
    title: 'Workflow',
    render: ({ name, title, summary }) => (
      <div>
        <TextLink to={`/workflows/${encodeURIComponent(name)}`}>{name}</TextLink>
        {title && (
          <Text span size="sm">
            {` ${title}`}
          </Text>
        )}
        {summary && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {summary}
          </Text>
        )}
      </div>
    ),
  },
  { title: 'Version', render: ({ version }) => version },
  { title: 'Starts by itself', render: ({ schedule }) => schedule },
  {
    title: 'From',
    render: ({ source, author, enabled, problems }) => (
      <Group gap={6}>
        <Badge color={source === 'assistant' && !enabled ? 'blue' : 'gray'}>{originOf({ source, author })}</Badge>
        {problems > 0 && (
          <Badge color="red" leftSection={<AlertIcon size={12} aria-hidden />}>
            {countOf(problems, 'problem')}
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Enabled', render: (workflow) => <WorkflowSwitch workflow={workflow} /> },
];

export function WorkflowsTable({ workflows }: { workflows: readonly Workflow[] }) {
  return <DataTable label="Workflows" columns={COLUMNS} rows={workflows} keyOf={({ name }) => name} />;
}

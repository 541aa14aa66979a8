import { Badge, Group, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { type Columns, TablePanel } from '../../../components/DataTable';
import { EmptyState } from '../../../components/EmptyState';
import { NewButton } from '../../../components/LinkButton';
import { OnlyFor } from '../../../components/OnlyFor';
import { PageHeader } from '../../../components/PageHeader';
import { SearchField } from '../../../components/SearchField';
import { TextLink } from '../../../components/TextLink';
import { useSearch } from '../../../components/use-search';
import { countOf } from '../../../text/format';
import { originOf } from '../origin';
import { type BrokenFile, useWorkflows, type Workflow } from '../use-workflows';
import { WorkflowSwitch } from '../WorkflowSwitch';
import { ProblemList } from '../../../components/ProblemList';
import { Section } from '../../../components/Section';

const COLUMNS: Columns<Workflow> = {
  Workflow: ({ name, title, summary }) => (
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
  Version: ({ version }) => version,
  Schedule: ({ schedule }) => schedule,
  From: ({ source, author, enabled, problems }) => (
    <Group gap={6}>
      <Badge color={source === 'assistant' && !enabled ? 'blue' : 'gray'}>{originOf({ source, author })}</Badge>
      {problems > 0 && (
        <Badge color="red" leftSection={<AlertIcon size={12} aria-hidden />}>
          {countOf(problems, 'problem')}
        </Badge>
      )}
    </Group>
  ),
  Enabled: (workflow) => <WorkflowSwitch workflow={workflow} />,
};

export default function WorkflowsPage() {
  const { field, settledSearch } = useSearch();
  const workflows = useWorkflows(settledSearch);
  return (
    <>
      <PageHeader
        title="Workflows"
        about="Tools made of steps. Each call is a run that survives restarts and can wait for people."
        actions={
          <OnlyFor role="editor">
            <NewButton to="/workflows/new">New workflow</NewButton>
          </OnlyFor>
        }
      />
      <Stack>
        <SearchField label="Search workflows" placeholder="Part of a name or a title" {...field} />
        <BrokenFiles files={workflows.data?.first?.brokenFiles ?? []} />
        <TablePanel
          label="Workflows"
          query={workflows}
          columns={COLUMNS}
          rows={workflows.data?.items}
          keyOf={({ name }) => name}
          pages={workflows}
          empty={
            <EmptyState title={settledSearch ? 'No workflow found' : 'No workflows yet'}>
              {settledSearch
                ? 'Try a shorter search.'
                : 'Write one here, or put YAML files into the folder for workflows of the service.'}
            </EmptyState>
          }
        />
      </Stack>
    </>
  );
}

/** Shows the errors of files in the folder for workflows that are not loaded because of them. */
function BrokenFiles({ files }: { files: readonly BrokenFile[] }) {
  return files.map(({ file, name, problems }) => (
    <Section
      key={file}
      title={file}
      about={
        name === null
          ? 'This file is not loaded until its errors are fixed.'
          : `${name} keeps its last valid version until the errors of its file are fixed.`
      }
    >
      <ProblemList problems={problems} />
    </Section>
  ));
}

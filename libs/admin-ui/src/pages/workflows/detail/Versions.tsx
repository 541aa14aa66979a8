import { OnlyFor } from '../../../components/OnlyFor';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { lazy, useState } from 'react';
import { type Column, DataTable } from '../../../components/DataTable';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LazyPart } from '../../../components/LazyPart';
import { LoadingLines } from '../../../components/LoadingLines';
import { LoadMore } from '../../../components/LoadMore';
import { Ago } from '../../../components/Moment';
import { showDone, showError } from '../../../components/notices';
import { QueryState } from '../../../components/QueryState';
import { RowToggle } from '../../../components/RowButton';
import { Section } from '../../../components/Section';
import { originOf } from '../origin';
import { type FullWorkflow, useSetCurrent, useVersion, useVersions, type WorkflowVersion } from '../use-workflows';

const TextComparison = lazy(() => import('../../../components/code-editor/TextComparison'));

/** Lists the versions of a workflow, and shows the changes from one to the current one. */
export function Versions({ workflow }: { workflow: FullWorkflow }) {
  const versions = useVersions(workflow.name);
  const [compared, compare] = useState<string | null>(null);
  const current = useSetCurrent(workflow.name);
  const makeCurrent = (version: string) =>
    current.mutate(version, {
      onSuccess: () => {
        compare(null);
        showDone(`Calls start version ${version} from now on.`);
      },
      onError: showError,
    });
  const items = versions.data?.pages.flatMap((page) => page.items);
  const columns: readonly Column<WorkflowVersion>[] = [
    {
      title: 'Version',
      render: ({ version }) => (
        <Group gap={6}>
          {version}
          {version === workflow.version && <Badge color="teal">Current</Badge>}
        </Group>
      ),
    },
    { title: 'From', render: originOf },
    { title: 'Saved', render: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: 'What to do',
      render: ({ version }) =>
        version !== workflow.version && (
          <Group gap={6}>
            <RowToggle
              label={`Compare ${version} with the current version`}
              value={version}
              chosen={compared}
              onChoose={compare}
            >
              Compare
            </RowToggle>
            <OnlyFor role="editor">
              {' '}
              <Button
                size="xs"
                variant="default"
                disabled={current.isPending}
                aria-label={`Make ${version} the current version`}
                onClick={() => makeCurrent(version)}
              >
                Make current
              </Button>
            </OnlyFor>
          </Group>
        ),
    },
  ];
  return (
    <Section title="Versions">
      <Stack gap="sm">
        <QueryState query={versions} />
        {items && <DataTable label="Versions" columns={columns} rows={items} keyOf={({ version }) => version} />}
        <LoadMore pages={versions} />
        {compared !== null && <Comparison workflow={workflow} version={compared} />}
      </Stack>
    </Section>
  );
}

function Comparison({ workflow, version }: { workflow: FullWorkflow; version: string }) {
  const { data, error } = useVersion(workflow.name, version);
  return (
    <div>
      <Text size="sm" mb="xs">
        What has changed from {version} to {workflow.version}:
      </Text>
      {error && <ErrorNotice error={error} />}
      <LazyPart fallback={<LoadingLines />}>
        {data && (
          <TextComparison
            label={`Changes from ${version} to ${workflow.version}`}
            before={data.definition}
            after={workflow.definition}
          />
        )}
      </LazyPart>
    </div>
  );
}

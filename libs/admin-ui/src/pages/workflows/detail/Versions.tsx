import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Columns, DataTable } from '../../../components/DataTable';
import { LoadMore } from '../../../components/LoadMore';
import { Ago } from '../../../components/Moment';
import { showDone, showError } from '../../../components/notices';
import { OnlyFor } from '../../../components/OnlyFor';
import { QueryState } from '../../../components/QueryState';
import { RowToggle } from '../../../components/RowButton';
import { Section } from '../../../components/Section';
import { TextChanges } from '../../../components/TextChanges';
import { originOf } from '../origin';
import { type FullWorkflow, useSetCurrent, useVersion, useVersions, type WorkflowVersion } from '../use-workflows';

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
  const items = versions.data?.items;
  const columns: Columns<WorkflowVersion> = {
    Version: ({ version }) => (
      <Group gap={6}>
        {version}
        {version === workflow.version && <Badge color="teal">Current</Badge>}
      </Group>
    ),
    From: originOf,
    Saved: ({ createdAt }) => <Ago at={createdAt} />,
    'What to do': ({ version }) =>
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
  };
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
  const query = useVersion(workflow.name, version);
  return (
    <div>
      <Text size="sm" mb="xs">
        What has changed from {version} to {workflow.version}:
      </Text>
      <QueryState query={query} />
      {query.data && (
        <TextChanges
          isYaml
          label={`Changes from ${version} to ${workflow.version}`}
          before={query.data.definition}
          after={workflow.definition}
        />
      )}
    </div>
  );
}

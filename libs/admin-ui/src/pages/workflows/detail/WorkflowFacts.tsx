import { Group, Paper, Stack, Text } from '@mantine/core';
import { Facts } from '../../../components/Facts';
import { Ago } from '../../../components/Moment';
import type { FullWorkflow } from '../use-workflows';
import { originOf } from '../origin';
import { WorkflowSwitch } from '../WorkflowSwitch';

export function WorkflowFacts({ workflow }: { workflow: FullWorkflow }) {
  const { summary, version, schedule, updatedAt, name, enabled, isBackground, exampleEvent } = workflow;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        {summary && <Text style={{ whiteSpace: 'pre-wrap' }}>{summary}</Text>}
        <Group gap="xs">
          <WorkflowSwitch workflow={workflow} />
          <Text size="sm">
            {enabled
              ? `Enabled: ${exampleEvent ? 'events start it; clients do not see it as a tool.' : 'clients see it as a tool and may call it.'}`
              : 'Disabled: hidden from clients, and not started by triggers. Runs in progress continue.'}
          </Text>
        </Group>
        <Facts
          facts={[
            { title: 'Version', value: version },
            { title: 'Starts by itself', value: schedule },
            { title: 'Calls', value: isBackground ? 'Return at once; the run continues in the background' : null },
            { title: 'From', value: originOf(workflow) },
            { title: 'Resource', value: `workflow://${name}` },
            { title: 'Changed', value: <Ago at={updatedAt} /> },
          ]}
        />
      </Stack>
    </Paper>
  );
}

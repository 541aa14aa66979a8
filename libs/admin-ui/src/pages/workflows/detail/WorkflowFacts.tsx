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
          facts={{
            Version: version,
            Schedule: schedule,
            Calls: isBackground ? 'Return at once; the run continues in the background' : null,
            From: originOf(workflow),
            Resource: `workflow://${name}`,
            Changed: <Ago at={updatedAt} />,
          }}
        />
      </Stack>
    </Paper>
  );
}

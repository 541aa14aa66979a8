import { Badge, Group } from '@mantine/core';
import type { NodeState } from '../../components/diagram/node-states';
import type { RunSummary } from './use-runs';

const STYLES: Record<NodeState | 'pending', { color: string; label: string }> = {
  pending: { color: 'gray', label: 'Pending' },
  running: { color: 'indigo', label: 'Running' },
  waiting: { color: 'yellow', label: 'Waiting' },
  asking: { color: 'orange', label: 'Waits for an answer' },
  completed: { color: 'teal', label: 'Completed' },
  failed: { color: 'red', label: 'Failed' },
  cancelled: { color: 'gray', label: 'Cancelled' },
};

export function StateBadge({ state }: { state: NodeState | 'pending' }) {
  const { color, label } = STYLES[state];
  return <Badge color={color}>{label}</Badge>;
}

/** Shows the state of a run, and whether it is a test. */
export function RunState({ run }: { run: RunSummary }) {
  return (
    <Group gap={6}>
      <StateBadge state={run.questions > 0 && run.endedAt === null ? 'asking' : run.status} />
      {run.isTest && <Badge color="gray">Test</Badge>}
    </Group>
  );
}

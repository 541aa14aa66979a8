import { Progress, Stack, Text } from '@mantine/core';
import { progressOf, type TrialState } from './trial-state';

export function TrialProgress({ state }: { state: TrialState }) {
  const progress = progressOf(state);
  const percent = progress?.total ? Math.min(100, (progress.done / progress.total) * 100) : null;
  return (
    <Stack gap={6} role="status">
      <Progress.Root size="lg">
        <Progress.Section
          role="progressbar"
          aria-label="Progress of the call"
          aria-valuetext={percent === null ? 'Running' : `${Math.round(percent)} %`}
          value={percent ?? 100}
          animated
        />
      </Progress.Root>
      <Text size="sm">{progress?.message ?? 'Running…'}</Text>
    </Stack>
  );
}

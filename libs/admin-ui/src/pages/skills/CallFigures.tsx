import { Text } from '@mantine/core';
import { countOf } from '../../text/format';
import type { Skill } from './use-skills';

export function CallFigures({ skill: { calls, errors } }: { skill: Skill }) {
  if (calls === 0) {
    return (
      <Text size="sm" c="dimmed">
        No calls in a week
      </Text>
    );
  }
  const percent = Math.round((errors / calls) * 1000) / 10;
  return (
    <Text size="sm" c={errors > 0 ? 'var(--app-bad)' : 'dimmed'} title="In the last week">
      {countOf(calls, 'call')}, {errors > 0 ? `${percent} % failed` : 'none failed'}
    </Text>
  );
}

import { Text } from '@mantine/core';
import { countOf } from '../../text/format';
import type { Skill } from './use-skills';

/** Shows how often a skill was called, in the last 30 days. */
export function CallFigures({ skill: { calls, errors, callsInDay, source } }: { skill: Skill }) {
  const what = source === 'package' ? 'use' : 'call';
  if (calls === 0) {
    return (
      <Text size="sm" c="dimmed">
        No {what}s in 30 days
      </Text>
    );
  }
  const percent = Math.round((errors / calls) * 1000) / 10;
  const failed = source === 'package' ? '' : errors > 0 ? `, ${percent} % failed` : ', none failed';
  return (
    <Text size="sm" c={errors > 0 ? 'var(--app-bad)' : 'dimmed'}>
      {countOf(calls, what)} in 30 days{failed}; {callsInDay} in 24 hours
    </Text>
  );
}

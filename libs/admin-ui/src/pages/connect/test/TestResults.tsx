import { Badge, Group, Text } from '@mantine/core';
import { JsonBlock } from '../../../components/JsonBlock';
import { formatMs } from '../../../text/format';
import type { StepResult } from './connection-test';
import classes from './TestResults.module.css';

export function TestResults({ results }: { results: readonly StepResult[] }) {
  return (
    // The role is explicit, because some screen readers ignore lists without bullets.
    <ul role="list" aria-label="Test results" className={classes.list}>
      {results.map((result) => (
        <li key={`${result.protocolVersion} ${result.title}`}>
          <TestStep result={result} />
        </li>
      ))}
    </ul>
  );
}

function TestStep({
  result: { title, protocolVersion, durationMs, failure, summary, message },
}: {
  result: StepResult;
}) {
  return (
    <>
      <Group gap="xs">
        <Badge color={failure ? 'red' : 'teal'}>{failure ? 'Failed' : 'OK'}</Badge>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {protocolVersion} · {formatMs(durationMs)}
        </Text>
      </Group>
      <Text size="sm" mt={4} lineClamp={3}>
        {summary}
      </Text>
      {failure && (
        <Text size="sm" mt={4}>
          <strong>What to do:</strong> {failure.fix}
        </Text>
      )}
      {message && (
        <details className={classes.details}>
          <summary>What came back</summary>
          <JsonBlock label={`Answer: ${title}`} value={message} />
        </details>
      )}
    </>
  );
}

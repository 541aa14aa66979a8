import { Alert, List } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { countOf } from '../../text/format';

/** Lists the problems of a module. */
export function ModuleProblems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <Alert color="red" icon={<AlertIcon aria-hidden />} title={countOf(problems.length, 'mistake')}>
      <List size="sm" spacing={4} listStyleType="none">
        {problems.map((problem) => (
          <List.Item key={problem} style={{ overflowWrap: 'anywhere' }}>
            {problem}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

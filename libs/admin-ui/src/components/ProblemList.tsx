import { Alert, Anchor, List, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { countOf } from '../text/format';

interface Problem {
  severity: 'error' | 'warning';
  /** Path of the problem; '' when only its line is known. */
  path: string;
  message: string;
  /** Starting at 1. */
  line: number;
  column: number;
}

interface ProblemListProps {
  problems: readonly Problem[];
  /** Shows the line of a problem; absent when there is no editor. */
  onShow?: (problem: Problem) => void;
}

/** Lists the problems of a text, errors first. */
export function ProblemList({ problems, onShow }: ProblemListProps) {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  if (problems.length === 0) return null;
  const title = [
    errors.length > 0 && countOf(errors.length, 'error'),
    warnings.length > 0 && countOf(warnings.length, 'warning'),
  ];
  return (
    <Alert
      color={errors.length > 0 ? 'red' : 'orange'}
      icon={<AlertIcon aria-hidden />}
      title={title.filter(Boolean).join(', ')}
    >
      <List size="sm" spacing={4} listStyleType="none">
        {[...errors, ...warnings].map((problem) => (
          <List.Item key={`${problem.line} ${problem.column} ${problem.path} ${problem.message}`}>
            <Place problem={problem} onShow={onShow} />{' '}
            <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
              {problem.message}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Place({ problem, onShow }: { problem: Problem; onShow?: (problem: Problem) => void }) {
  const { severity, line, path } = problem;
  const place = `Line ${line}${path && `, ${path}`}${severity === 'warning' ? ' (warning)' : ''}:`;
  if (!onShow) return <strong>{place}</strong>;
  return (
    <Anchor component="button" type="button" inherit underline="always" fw={600} onClick={() => onShow(problem)}>
      {place}
    </Anchor>
  );
}

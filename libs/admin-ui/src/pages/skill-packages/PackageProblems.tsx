import { Alert, List, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { countOf } from '../../text/format';

interface PackageProblem {
  severity?: string;
  /** Path of the file in the package. */
  file: string;
  line?: number | undefined;
  message: string;
}

/** Lists the problems of a package, each with its file and line. */
export function PackageProblems({ problems }: { problems: readonly PackageProblem[] }) {
  if (problems.length === 0) return null;
  const isError = problems.some(({ severity }) => severity !== 'warning');
  return (
    <Alert
      color={isError ? 'red' : 'orange'}
      icon={<AlertIcon aria-hidden />}
      title={countOf(problems.length, isError ? 'mistake' : 'warning')}
    >
      <List size="sm" spacing={4} listStyleType="none">
        {problems.map(({ file, line, message, severity }) => (
          <List.Item key={`${file} ${line} ${message}`}>
            <strong>
              {file}
              {line !== undefined && `, line ${line}`}
              {isError && severity === 'warning' ? ' (warning)' : ''}:
            </strong>{' '}
            <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
              {message}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

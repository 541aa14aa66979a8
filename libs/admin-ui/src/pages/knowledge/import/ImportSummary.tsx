import { Alert, List, Text, Progress, Stack } from '@mantine/core';
import { TextLink } from '../../../components/TextLink';
import { countOf } from '../../../text/format';
import type { ImportedFile } from './import-requests';

const OUTCOMES = ['created', 'updated', 'unchanged', 'failed'] as const;
const MOST_LISTED = 20;

interface ImportSummaryProps {
  files: readonly ImportedFile[];
  onClose: () => void;
}

export function ImportSummary({ files, onClose }: ImportSummaryProps) {
  const hasFailures = files.some(({ outcome }) => outcome === 'failed');
  const counts = OUTCOMES.map((outcome) => ({
    outcome,
    count: files.filter((file) => file.outcome === outcome).length,
  }));
  const inOrder = files.toSorted((a, b) => OUTCOMES.indexOf(b.outcome) - OUTCOMES.indexOf(a.outcome));
  const listed = inOrder.slice(0, MOST_LISTED);
  return (
    <Alert
      role="status"
      color={hasFailures ? 'orange' : 'teal'}
      title="The import is done"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text size="sm">
        {countOf(files.length, 'file')}:{' '}
        {counts
          .filter(({ count }) => count > 0)
          .map(({ outcome, count }) => `${count} ${outcome}`)
          .join(', ')}
        .
      </Text>
      <List size="sm" mt="xs">
        {listed.map(({ path, outcome, id, problem }, index) => (
          <List.Item key={index}>
            {id ? <TextLink to={`/knowledge/${encodeURIComponent(id)}`}>{path}</TextLink> : path}:{' '}
            {problem === null ? outcome : reasonOf({ path, problem })}
          </List.Item>
        ))}
      </List>
      {inOrder.length > MOST_LISTED && <Text size="sm">And {countOf(inOrder.length - MOST_LISTED, 'other')}.</Text>}
    </Alert>
  );
}

/** Returns why a file was refused, without its name. */
export const reasonOf = ({ path, problem }: Pick<ImportedFile, 'path' | 'problem'>): string =>
  (problem ?? '').replace(`${path} cannot be imported: `, '');

interface ImportProgressProps {
  /** For example Importing. */
  doing: string;
  done: number;
  total: number;
}

export function ImportProgress({ doing, done, total }: ImportProgressProps) {
  return (
    <Stack gap={4} role="status">
      <Text size="sm">
        {doing} {countOf(total, 'file')}: {done} done
      </Text>
      <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label="Import" animated />
    </Stack>
  );
}

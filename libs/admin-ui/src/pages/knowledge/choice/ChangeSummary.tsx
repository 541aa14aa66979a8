import { Alert, List, Text } from '@mantine/core';
import { TextLink } from '../../../components/TextLink';
import { countOf } from '../../../text/format';
import type { ChangeResult } from '../use-collection';
import { summaryOf } from './change-summary';

const MOST_LISTED = 20;

interface ChangeSummaryProps {
  result: ChangeResult;
  onClose: () => void;
}

/** Shows the outcome of a change for each document. */
export function ChangeSummary({ result, onClose }: ChangeSummaryProps) {
  const { documents, problem } = result;
  const left = documents.filter((document) => document.problem !== null);
  return (
    <Alert
      role="status"
      color={left.length > 0 || problem !== null ? 'orange' : 'teal'}
      title={summaryOf(result)}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      {problem !== null && <Text size="sm">It stopped: {problem}</Text>}
      {left.length > 0 && (
        <List size="sm">
          {left.slice(0, MOST_LISTED).map(({ id, title, outcome, problem }, index) => (
            <List.Item key={index}>
              {outcome === 'missing' ? (
                id
              ) : (
                <TextLink to={`/knowledge/${encodeURIComponent(id)}`}>{title ?? id}</TextLink>
              )}
              : {problem}
            </List.Item>
          ))}
        </List>
      )}
      {left.length > MOST_LISTED && <Text size="sm">And {countOf(left.length - MOST_LISTED, 'other')}.</Text>}
    </Alert>
  );
}

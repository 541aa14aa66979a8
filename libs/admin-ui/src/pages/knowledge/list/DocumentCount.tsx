import { Text } from '@mantine/core';
import { countOf, formatNumber } from '../../../text/format';
import { useDocumentCount, type Wanted } from '../use-collection';

const bestOf = (shown: number) => (shown === 1 ? 'One match' : `The ${formatNumber(shown)} best matches`);

interface DocumentCountProps {
  wanted: Wanted;
  /** Number of documents on the page. */
  shown: number;
}

/** Shows the number of documents, and of those in the list. */
export function DocumentCount({ wanted, shown }: DocumentCountProps) {
  const { data } = useDocumentCount(wanted);
  if (!data || data.documents === 0) return null;
  const all = countOf(data.documents, 'document');
  const conditions = [
    ...(wanted.search === '' ? [] : ['all the words']),
    ...(wanted.tag === '' ? [] : [`the tag ${wanted.tag.toLowerCase()}`]),
  ];
  const have = data.matching === 1 ? 'has' : 'have';
  const matching = `${formatNumber(data.matching)} of ${all} ${have} ${conditions.join(' and ')}`;
  return (
    <Text size="sm" c="dimmed" role="status" aria-label="Number of documents">
      {wanted.search !== '' && `${bestOf(shown)}; `}
      {conditions.length === 0 ? all : matching}
    </Text>
  );
}

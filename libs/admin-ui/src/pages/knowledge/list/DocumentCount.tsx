import { Text } from '@mantine/core';
import { countOf, formatNumber } from '../../../text/format';
import { useDocumentCount } from '../use-collection';

const bestOf = (shown: number) => (shown === 1 ? 'One match' : `The ${formatNumber(shown)} best matches`);

interface DocumentCountProps {
  search: string;
  tag: string;
  /** How many the page shows. */
  shown: number;
}

/** Says how many documents there are, and how many of them the list is about. */
export function DocumentCount({ search, tag, shown }: DocumentCountProps) {
  const { data } = useDocumentCount(tag);
  if (!data || data.documents === 0) return null;
  const all = countOf(data.documents, 'document');
  const tagged = `${formatNumber(data.matching)} of ${all} ${data.matching === 1 ? 'has' : 'have'} the tag ${tag.toLowerCase()}`;
  const matching = tag === '' ? all : tagged;
  return (
    <Text size="sm" c="dimmed" role="status" aria-label="Number of documents">
      {search === '' ? matching : `${bestOf(shown)}; ${matching}`}
    </Text>
  );
}

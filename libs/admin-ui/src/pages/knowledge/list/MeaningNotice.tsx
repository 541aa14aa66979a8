import { Alert, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { Until } from '../../../components/Moment';
import { TextLink } from '../../../components/TextLink';
import { formatNumber } from '../../../text/format';
import { type Embeddings, useEmbeddings } from '../use-knowledge';

/** Shows whether searches match meaning, how far embedding is, and what is wrong with it. */
export function MeaningNotice() {
  const { data: embeddings } = useEmbeddings();
  if (!embeddings) return null;
  if (embeddings.lastError !== null) return <Problem {...embeddings} lastError={embeddings.lastError} />;
  return (
    <Text size="sm" c="dimmed">
      {embeddings.enabled ? (
        progressOf(embeddings)
      ) : (
        <>
          Searches match words. To match meaning, too, set an embeddings API under{' '}
          <TextLink to="/config">Config</TextLink>.
        </>
      )}
    </Text>
  );
}

function progressOf({ passages, embedded }: Embeddings): string {
  if (embedded >= passages) return 'Searches match words and meaning.';
  const counts = `${formatNumber(embedded)} of ${formatNumber(passages)} passages are embedded`;
  return `Searches match words, and meaning as far as passages are embedded: ${counts}.`;
}

function Problem({ lastError, nextTryAt }: Embeddings & { lastError: string }) {
  return (
    <Alert
      color="orange"
      icon={<AlertIcon aria-hidden />}
      title="Searches match words only: the embeddings API cannot be used"
    >
      {lastError}{' '}
      {nextTryAt && (
        <>
          (next try <Until at={nextTryAt} />)
        </>
      )}
    </Alert>
  );
}

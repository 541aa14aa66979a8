import { Alert, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { TextLink } from '../../../components/TextLink';
import { Until } from '../../../components/Until';
import { formatNumber } from '../../../text/format';
import { type Embeddings, useEmbeddings } from '../use-knowledge';

/** Whether searches go by meaning, how far that is, and what stands in its way. */
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
          Searches go by words. To search by meaning, too, set an embeddings API under{' '}
          <TextLink to="/config">Config</TextLink>.
        </>
      )}
    </Text>
  );
}

function progressOf({ passages, embedded }: Embeddings): string {
  if (embedded >= passages) return 'Searches go by words and by meaning.';
  const counts = `${formatNumber(embedded)} of ${formatNumber(passages)} passages are embedded`;
  return `Searches go by words, and by meaning as far as that is prepared: ${counts}.`;
}

function Problem({ lastError, nextTryAt }: Embeddings & { lastError: string }) {
  return (
    <Alert
      color="orange"
      icon={<AlertIcon aria-hidden />}
      title="Searches go by words only: the embeddings API can't be used"
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

import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useMay } from '../../../api/session';
import { Until } from '../../../components/Moment';
import { showError } from '../../../components/notices';
import { TextLink } from '../../../components/TextLink';
import { type Embeddings, useEmbeddings, useTurnOnBuiltinModel } from '../use-knowledge';
import { doneOf, progressOf } from './meaning-progress';

/** Shows the state of semantic search: whether it is on, the progress of embedding, and problems; offers to turn it on. */
export function SemanticNotice() {
  const { data: embeddings } = useEmbeddings();
  if (!embeddings) return null;
  if (embeddings.lastError !== null) return <Problem {...embeddings} lastError={embeddings.lastError} />;
  return embeddings.enabled ? <Working {...embeddings} /> : <WordsOnly {...embeddings} />;
}

function Working(embeddings: Embeddings) {
  const done = doneOf(embeddings);
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {progressOf(embeddings)}
      </Text>
      {embeddings.searchProblem !== null && (
        <Text size="sm">For now, searches match words only: {embeddings.searchProblem}</Text>
      )}
      {done < 1 && <Progress value={done * 100} size="sm" aria-label="Embedded so far" />}
    </Stack>
  );
}

function WordsOnly({ builtinInstalled, builtinCommand }: Embeddings) {
  const mayChange = useMay('admin');
  const config = <TextLink to="/config">Config</TextLink>;
  if (!builtinInstalled || !mayChange) {
    return (
      <Text size="sm" c="dimmed">
        Searches match words. To match meaning, too, set an embeddings API under {config}, or install the built-in model
        with <code>{builtinCommand}</code> and turn it on.
      </Text>
    );
  }
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        Searches match words. The built-in model matches meaning, too: it reads English, and sends nothing anywhere. Or
        set an embeddings API under {config}.
      </Text>
      <TurnOn />
    </Group>
  );
}

function TurnOn() {
  const turnOn = useTurnOnBuiltinModel();
  return (
    <Button
      size="xs"
      variant="default"
      loading={turnOn.isPending}
      onClick={() => turnOn.mutate(undefined, { onError: showError })}
    >
      Match meaning, too
    </Button>
  );
}

function Problem({ lastError, nextTryAt }: Embeddings & { lastError: string }) {
  return (
    <Alert
      color="orange"
      icon={<AlertIcon aria-hidden />}
      title="Searches match words only: the embedding model cannot be used"
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

import { Alert, Button, Group, Text } from '@mantine/core';
import { lazy } from 'react';
import { LazyPart } from './LazyPart';
import { LoadingLines } from './LoadingLines';

const TextComparison = lazy(() => import('./code-editor/TextComparison'));

interface ChangedMeanwhileProps {
  /** Name of the object that somebody else has changed during the edit. */
  what: string;
  consequence: string;
  onDiscard: () => void;
  /** Both texts, and a callback to keep the user's own; without it, saving overwrites. */
  choice?: { now: string; mine: string; onKeep: () => void };
}

/** Warns that saving would overwrite a change of an assistant or another administrator, and shows both texts. */
export function ChangedMeanwhile({ what, consequence, onDiscard, choice }: ChangedMeanwhileProps) {
  return (
    <Alert role="alert" color="orange" title={`Somebody changed this ${what} in the meantime`}>
      <Text size="sm">{consequence}</Text>
      {choice && (
        <>
          <Text size="sm" mt="xs">
            This is what your text changes in the current text. Red lines are there now and not in your text; green ones
            are only in yours.
          </Text>
          <LazyPart fallback={<LoadingLines height={120} count={1} />}>
            <TextComparison
              label={`The current text, and what yours changes in it`}
              before={choice.now}
              after={choice.mine}
              isYaml={false}
            />
          </LazyPart>
        </>
      )}
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={onDiscard}>
          Show the current text, without my changes
        </Button>
        {choice && (
          <Button size="xs" variant="default" onClick={choice.onKeep}>
            Overwrite with my version
          </Button>
        )}
      </Group>
    </Alert>
  );
}

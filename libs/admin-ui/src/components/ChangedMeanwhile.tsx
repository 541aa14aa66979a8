import { Alert, Button, Group, Text } from '@mantine/core';
import { TextChanges } from './TextChanges';

interface ChangedMeanwhileProps<Value> {
  /** Name of the object that somebody else has changed during the edit. */
  what: string;
  consequence?: string;
  edit: {
    saved: Value;
    draft: Value;
    isOutdated: boolean;
    isSaving: boolean;
    discard: () => void;
    /** Keeps the user's own text; saving overwrites the other one. */
    keep: () => void;
  };
  textOf: (value: Value) => string;
}

/** Warns that saving would overwrite a change of an assistant or another administrator, and shows both texts. */
export function ChangedMeanwhile<Value>({
  what,
  consequence = 'Neither text is lost: choose which one to keep.',
  edit: { saved, draft, isOutdated, isSaving, discard, keep },
  textOf,
}: ChangedMeanwhileProps<Value>) {
  if (!isOutdated || isSaving) return null;
  return (
    <Alert role="alert" color="orange" title={`Somebody changed this ${what} in the meantime`}>
      <Text size="sm">{consequence}</Text>
      <Text size="sm" mt="xs">
        This is what your text changes in the current text. Red lines are there now and not in your text; green ones are
        only in yours.
      </Text>
      <TextChanges label="The current text, with your changes" before={textOf(saved)} after={textOf(draft)} />
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={discard}>
          Show the current text, without my changes
        </Button>
        <Button size="xs" variant="default" onClick={keep}>
          Overwrite with my version
        </Button>
      </Group>
    </Alert>
  );
}

import { Alert, Button, Text } from '@mantine/core';

interface ChangedMeanwhileProps {
  /** Name of the thing that somebody else has changed during the edit. */
  what: string;
  consequence: string;
  onDiscard: () => void;
}

/** Warns that saving would overwrite a change of an assistant or another administrator. */
export function ChangedMeanwhile({ what, consequence, onDiscard }: ChangedMeanwhileProps) {
  return (
    <Alert role="alert" color="orange" title={`Somebody changed this ${what} in the meantime`}>
      <Text size="sm">{consequence}</Text>
      <Button mt="sm" size="xs" variant="default" onClick={onDiscard}>
        Show what it says now, without my changes
      </Button>
    </Alert>
  );
}

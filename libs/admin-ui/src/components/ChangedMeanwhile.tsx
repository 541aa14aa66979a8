import { Alert, Button, Text } from '@mantine/core';

interface ChangedMeanwhileProps {
  /** What somebody else changed while it is being written here. */
  what: string;
  consequence: string;
  onDiscard: () => void;
}

/** Warns before a change overwrites that of an assistant or another administrator. */
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

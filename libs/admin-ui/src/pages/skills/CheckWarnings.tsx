import { Alert, List } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';

/** Lists the problems that some clients have with the catalogue. */
export function CheckWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="orange" icon={<AlertIcon aria-hidden />} title="Catalogue check">
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

import { Alert, List, Text } from '@mantine/core';
import { countOf } from '../../../text/format';
import type { OpmlImport } from '../use-feeds';

interface OpmlImportSummaryProps {
  result: OpmlImport;
  onClose: () => void;
}

export function OpmlImportSummary({ result: { added, existing, refused }, onClose }: OpmlImportSummaryProps) {
  return (
    <Alert
      role="status"
      color={refused.length > 0 ? 'orange' : 'teal'}
      title="The import is done"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text size="sm">
        {countOf(added.length, 'feed')} added, to be fetched soon; {countOf(existing, 'feed')} there before.
      </Text>
      {refused.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            {countOf(refused.length, 'feed')} refused:
          </Text>
          <List size="sm">
            {refused.map(({ url, reason }, index) => (
              <List.Item key={index}>
                {url}: {reason}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}

import { Group, Text } from '@mantine/core';
import { formatNumber } from '../../../text/format';

/** A suggested tag, with its number of documents. */
export function TagOption({ tag, documents }: { tag: string; documents: number | undefined }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" flex={1}>
      <Text size="sm" truncate>
        {tag}
      </Text>
      {documents !== undefined && (
        <Text size="sm" opacity={0.85}>
          {formatNumber(documents)}
        </Text>
      )}
    </Group>
  );
}

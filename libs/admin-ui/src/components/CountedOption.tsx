import { Group, Text } from '@mantine/core';
import { formatNumber } from '../text/format';

/** An option of a select field, with the number of objects that have it. */
export function CountedOption({ label, count }: { label: string; count: number | undefined }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" flex={1}>
      <Text size="sm" truncate>
        {label}
      </Text>
      {count !== undefined && (
        <Text size="sm" opacity={0.85}>
          {formatNumber(count)}
        </Text>
      )}
    </Group>
  );
}

import { Progress, Stack, Text } from '@mantine/core';
import { countOf } from '../../../text/format';

export function ImportProgress({ done, total }: { done: number; total: number }) {
  return (
    <Stack gap={4} role="status">
      <Text size="sm">
        Importing {countOf(total, 'file')}: {done} done
      </Text>
      <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label="Import" animated />
    </Stack>
  );
}

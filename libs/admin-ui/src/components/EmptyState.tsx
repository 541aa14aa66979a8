import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says why there is nothing to show, and what to do next. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack gap={4} py="md" align="center" ta="center">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text size="sm" c="dimmed" maw={520}>
          {children}
        </Text>
      )}
    </Stack>
  );
}

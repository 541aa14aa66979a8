import { Skeleton, Stack } from '@mantine/core';

/** Placeholder for content that is being loaded. */
export function LoadingLines({ count = 4, height = 48 }: { count?: number; height?: number }) {
  return (
    <Stack role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} />
      ))}
    </Stack>
  );
}

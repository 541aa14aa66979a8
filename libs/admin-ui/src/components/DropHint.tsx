import { Center, Overlay, Text } from '@mantine/core';

/** Covers the page while files are dragged over it. */
export function DropHint({ children }: { children: string }) {
  return (
    <Overlay fixed backgroundOpacity={0.7} zIndex={300} style={{ pointerEvents: 'none' }}>
      <Center h="100%" p="md">
        <Text size="xl" fw={650} c="white" ta="center">
          {children}
        </Text>
      </Center>
    </Overlay>
  );
}

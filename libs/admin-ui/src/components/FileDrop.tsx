import { Center, Overlay, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';

/** Accepts files that are dropped anywhere on the page. Returns true while files are dragged over it. */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault(); // or the browser would open the file in place of the page
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false); // out of the window
    };
    const drop = (event: DragEvent) => {
      setIsOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('dragover', over, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => listening.abort();
  }, []);
  return isOver;
}

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

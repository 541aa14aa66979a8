import { Center, Overlay, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { type ChosenFile, droppedFiles } from './chosen-files';
import { showError } from './notices';

/** Accepts files and folders that are dropped anywhere on the page. Returns true while some are dragged over it. */
export function useFileDrop(onFiles: (files: ChosenFile[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault(); // otherwise the browser would open the file instead of the page
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false); // dragged out of the window
    };
    const drop = (event: DragEvent) => {
      setIsOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      droppedFiles(event.dataTransfer).then(take, showError);
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

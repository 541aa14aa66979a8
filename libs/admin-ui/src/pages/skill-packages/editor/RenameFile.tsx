import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type PackageDraft, pathObstacle } from './package-draft';

interface RenameFileProps {
  draft: PackageDraft;
  path: string;
  onRename: (path: string) => void;
}

/** Field for another path of a file. Enter renames it, without saving the package. */
export function RenameFile({ draft, path, onRename }: RenameFileProps) {
  const [written, setWritten] = useState(path);
  const obstacle = written === path ? null : pathObstacle(draft, written);
  const rename = () => {
    if (obstacle === null) onRename(written);
  };
  return (
    <Group gap="xs" align="end">
      <TextInput
        label={`New path of ${path}`}
        flex={1}
        maxLength={1_000}
        autoComplete="off"
        value={written}
        error={obstacle}
        onChange={(event) => setWritten(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          rename();
        }}
      />
      <Button variant="default" disabled={obstacle !== null} onClick={rename}>
        Rename it
      </Button>
    </Group>
  );
}

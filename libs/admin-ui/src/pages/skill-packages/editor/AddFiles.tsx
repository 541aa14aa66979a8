import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FileImportButton } from '../../../components/FileImportButton';
import { showError } from '../../../components/notices';
import { type DraftFile, type PackageDraft, pathObstacle, textFile } from './package-draft';
import { readFiles } from './read-files';

interface AddFilesProps {
  draft: PackageDraft;
  /** Called with the files, and the path of one to edit. */
  onAdd: (files: DraftFile[], path?: string) => void;
}

/** Adds an empty text file, or files from the disk; those replace files of the same names. */
export function AddFiles({ draft, onAdd }: AddFilesProps) {
  const [path, setPath] = useState('');
  const [obstacle, setObstacle] = useState<string | null>(null);
  const add = () => {
    const found = pathObstacle(draft, path);
    setObstacle(found);
    if (found !== null) return;
    onAdd([textFile(path, '')], path);
    setPath('');
  };
  return (
    <Group gap="xs" align="end">
      <TextInput
        label="Path of a new text file"
        placeholder="references/GUIDE.md"
        flex={1}
        miw={220}
        maxLength={1_000}
        autoComplete="off"
        value={path}
        error={obstacle}
        onChange={(event) => {
          setObstacle(null);
          setPath(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault(); // otherwise the package would be saved
          add();
        }}
      />
      <Button variant="default" onClick={add}>
        Add text file
      </Button>
      <FileImportButton
        label="Upload files"
        accept=""
        loading={false}
        onFiles={(chosen) => void readFiles(chosen).then((files) => onAdd(files), showError)}
      />
    </Group>
  );
}

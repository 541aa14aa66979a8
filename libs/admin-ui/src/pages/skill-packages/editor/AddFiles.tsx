import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FileImportButton } from '../../../components/FileImportButton';
import { showError } from '../../../components/notices';
import { type DraftFile, type PackageDraft, pathObstacle, SKILL_FILE, textFile } from './package-draft';
import { base64Of } from '../../../files/base64';

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

/** Limit of the editor, in bytes. A longer text is kept unchanged. */
const LONGEST_TEXT = 500_000;

/** Reads chosen files; UTF-8 texts become editable texts. @throws Error when SKILL.md is not a text */
const readFiles = (chosen: readonly File[]): Promise<DraftFile[]> =>
  Promise.all(
    chosen.map(async (file) => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const text = bytes.length <= LONGEST_TEXT || file.name === SKILL_FILE ? textIn(bytes) : null;
      if (text === null && file.name === SKILL_FILE) throw new Error(`${SKILL_FILE} is not UTF-8 text.`);
      const content = text === null ? ({ kind: 'base64', content: base64Of(bytes) } as const) : null;
      return { path: file.name, size: bytes.length, ...(content ?? { kind: 'text', content: text ?? '' }) };
    }),
  );

/** Decodes bytes as text; null when encoding the text would not give the same bytes. */
function textIn(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

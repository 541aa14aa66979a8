import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Columns, DataTable } from '../../../components/DataTable';
import { onFirstClick } from '../../../components/first-click';
import { Section } from '../../../components/Section';
import { countOf, formatBytes } from '../../../text/format';
import { type FullPackage, usePackageFile } from '../use-packages';
import { AddFiles } from './AddFiles';
import { type DraftFile, type PackageDraft, textFile, withFiles, withoutFile, withRenamed } from './package-draft';
import { RenameFile } from './RenameFile';
import MarkdownEditor from '../../../components/code-editor/MarkdownEditor';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';

interface DraftFilesProps {
  one: FullPackage | null;
  draft: PackageDraft;
  onChange: (draft: PackageDraft) => void;
}

/** Lists the files of a draft except SKILL.md, for adding, editing, renaming and removing them. */
export function DraftFiles({ one, draft, onChange }: DraftFilesProps) {
  const [open, setOpen] = useState<{ path: string; to: 'edit' | 'rename' } | null>(null);
  const shown = draft.files.find(({ path }) => path === open?.path);
  const button = ({ path }: DraftFile, to: 'edit' | 'rename', label: string) => {
    const isOpen = open?.path === path && open.to === to;
    return (
      <Button
        size="xs"
        variant="default"
        aria-pressed={isOpen}
        aria-label={`${label} ${path}`}
        onClick={() => setOpen(isOpen ? null : { path, to })}
      >
        {label}
      </Button>
    );
  };
  const columns: Columns<DraftFile> = {
    File: ({ path }) => <span style={{ overflowWrap: 'anywhere' }}>{path}</span>,
    Size: ({ size }) => formatBytes(size),
    'What to do': (file) => (
      <Group gap={6}>
        {file.kind !== 'base64' && button(file, 'edit', 'Edit')}
        {button(file, 'rename', 'Rename')}
        <Button
          size="xs"
          variant="default"
          aria-label={`Remove ${file.path}`}
          onClick={onFirstClick(() => onChange(withoutFile(draft, file.path)))}
        >
          Remove
        </Button>
      </Group>
    ),
  };
  return (
    <Section
      title="Other files"
      about={`Assistants read them when the instructions name them. ${countOf(draft.files.length, 'file')}.`}
    >
      <Stack gap="sm">
        {draft.files.length > 0 ? (
          <DataTable label="Other files" columns={columns} rows={draft.files} keyOf={({ path }) => path} />
        ) : (
          <Text size="sm">There are none yet.</Text>
        )}
        {shown && open?.to === 'edit' && (
          <DraftFileEditor
            key={shown.path}
            one={one}
            file={shown}
            onChange={(text) => onChange(withFiles(draft, [textFile(shown.path, text)]))}
          />
        )}
        {shown && open?.to === 'rename' && (
          <RenameFile
            key={shown.path}
            draft={draft}
            path={shown.path}
            onRename={(path) => {
              onChange(withRenamed(draft, shown.path, path));
              setOpen(null);
            }}
          />
        )}
        <AddFiles
          draft={draft}
          onAdd={(files, path) => {
            onChange(withFiles(draft, files));
            if (path !== undefined) setOpen({ path, to: 'edit' });
          }}
        />
      </Stack>
    </Section>
  );
}

interface DraftFileEditorProps {
  one: FullPackage | null;
  file: DraftFile;
  onChange: (text: string) => void;
}

/** Editor of a text file of a draft. One element for stored and for typed text, so that typing the first letter keeps the focus. */
function DraftFileEditor({ one, file: { kind, path, content }, onChange }: DraftFileEditorProps) {
  const isKept = kind !== 'text';
  const kept = isKept ? one?.files.find(({ digest }) => digest === content) : undefined;
  const { data, error } = usePackageFile(one?.name ?? '', one?.version ?? 0, kept?.path ?? null);
  if (isKept && !kept)
    return <Text size="sm">{path} is of an earlier version. To change it, remove it and add it again.</Text>;
  if (isKept && error) return <ErrorNotice error={error} />;
  if (isKept && !data) return <LoadingLines height={120} count={1} />;
  const text = isKept ? (data?.text ?? null) : content;
  if (text === null) return <Text size="sm">{path} is not a text, or too long to edit here.</Text>;
  return <MarkdownEditor label={`Text of ${path}`} value={text} onChange={onChange} isShort />;
}

import { Text } from '@mantine/core';
import MarkdownEditor from '../../../components/code-editor/MarkdownEditor';
import { ErrorNotice } from '../../../components/ErrorNotice';
import { LoadingLines } from '../../../components/LoadingLines';
import { type FullPackage, usePackageFile } from '../use-packages';
import type { DraftFile } from './package-draft';

interface DraftFileEditorProps {
  one: FullPackage | null;
  file: DraftFile;
  onChange: (text: string) => void;
}

/** Editor of a text file of a draft. One element for stored and for typed text, so that typing the first letter keeps the focus. */
export function DraftFileEditor({ one, file: { kind, path, content }, onChange }: DraftFileEditorProps) {
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

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

/** Editor of a text file of a draft. */
export function DraftFileEditor({ one, file, onChange }: DraftFileEditorProps) {
  if (file.kind === 'text') return <TextEditor path={file.path} text={file.content} onChange={onChange} />;
  const kept = one?.files.find(({ digest }) => digest === file.content);
  if (!one || !kept)
    return <Text size="sm">{file.path} is of an earlier version. To change it, remove it and add it again.</Text>;
  return <KeptFileEditor one={one} kept={kept.path} path={file.path} onChange={onChange} />;
}

interface KeptFileEditorProps {
  one: FullPackage;
  /** Path of the file in the current version. */
  kept: string;
  path: string;
  onChange: (text: string) => void;
}

function KeptFileEditor({ one: { name, version }, kept, path, onChange }: KeptFileEditorProps) {
  const { data, error } = usePackageFile(name, version, kept);
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <LoadingLines height={120} count={1} />;
  if (data.text === null) return <Text size="sm">{path} is not a text, or too long to edit here.</Text>;
  return <TextEditor path={path} text={data.text} onChange={onChange} />;
}

interface TextEditorProps {
  path: string;
  text: string;
  onChange: (text: string) => void;
}

function TextEditor({ path, text, onChange }: TextEditorProps) {
  return <MarkdownEditor label={`Text of ${path}`} value={text} onChange={onChange} isShort />;
}

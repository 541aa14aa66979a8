import { pasteURLAsLink } from '@codemirror/lang-markdown';
import { EditorView } from '@codemirror/view';
import { useState } from 'react';
import { CodeEditor, type EditorProps } from './CodeEditor';
import { markdownUnlessLong } from './markdown-language';
import type { Mark } from './marks';

interface MarkdownEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Must be the same object as long as the marks are the same. */
  marks?: readonly Mark[];
  target?: EditorProps['target'];
  isShort?: boolean;
}

const EXTENSIONS = [pasteURLAsLink, EditorView.lineWrapping];
const NO_MARKS: readonly Mark[] = [];
const NOTHING = () => null;

/** Editor for Markdown of any length: only the visible part is laid out. */
export default function MarkdownEditor({ marks = NO_MARKS, target = null, ...props }: MarkdownEditorProps) {
  const [language] = useState(() => [markdownUnlessLong(props.value), EXTENSIONS]);
  return <CodeEditor {...props} marks={marks} target={target} language={language} completion={NOTHING} />;
}

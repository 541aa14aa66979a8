import { pasteURLAsLink } from '@codemirror/lang-markdown';
import { EditorView } from '@codemirror/view';
import { useState } from 'react';
import { CodeEditor } from './CodeEditor';
import { markdownUnlessLong } from './markdown-language';
import type { Mark } from './marks';

interface MarkdownEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

const EXTENSIONS = [pasteURLAsLink, EditorView.lineWrapping];
const NO_MARKS: readonly Mark[] = [];
const NOTHING = () => null;

/** Editor for Markdown of any length: only what is in the window is laid out. */
export default function MarkdownEditor(props: MarkdownEditorProps) {
  const [language] = useState(() => [markdownUnlessLong(props.value), EXTENSIONS]);
  return <CodeEditor {...props} marks={NO_MARKS} target={null} language={language} completion={NOTHING} />;
}

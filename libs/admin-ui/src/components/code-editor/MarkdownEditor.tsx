import { markdownKeymap, pasteURLAsLink } from '@codemirror/lang-markdown';
import { Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useState } from 'react';
import { CodeEditor } from './CodeEditor';
import { markdownUnlessLong } from './markdown-language';
import type { Mark } from './marks';

interface MarkdownEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

const KEYS = [Prec.high(keymap.of(markdownKeymap)), pasteURLAsLink, EditorView.lineWrapping];
const NO_MARKS: readonly Mark[] = [];
const NOTHING = () => null;

/** Editor for Markdown of any length: only what is in the window is laid out. */
export default function MarkdownEditor(props: MarkdownEditorProps) {
  const [language] = useState(() => [markdownUnlessLong(props.value), KEYS]);
  return <CodeEditor {...props} marks={NO_MARKS} target={null} language={language} completion={NOTHING} />;
}

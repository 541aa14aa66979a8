import { markdownKeymap, markdownLanguage, pasteURLAsLink } from '@codemirror/lang-markdown';
import { Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { CodeEditor } from './CodeEditor';
import type { Mark } from './marks';

interface MarkdownEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

// Not `markdown()`, which reads HTML in the text as well: for that, it looks at all blocks of the text at each key.
const LANGUAGE = [markdownLanguage, Prec.high(keymap.of(markdownKeymap)), pasteURLAsLink, EditorView.lineWrapping];
const NO_MARKS: readonly Mark[] = [];
const NOTHING = () => null;

/** Editor for Markdown of any length: only what is in the window is laid out. */
export default function MarkdownEditor(props: MarkdownEditorProps) {
  return <CodeEditor {...props} marks={NO_MARKS} target={null} language={LANGUAGE} completion={NOTHING} />;
}

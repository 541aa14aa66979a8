import { markdown } from '@codemirror/lang-markdown';
import { EditorView } from '@codemirror/view';
import { CodeEditor } from './CodeEditor';
import type { Mark } from './marks';

interface MarkdownEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

const LANGUAGE = [markdown(), EditorView.lineWrapping];
const NO_MARKS: readonly Mark[] = [];
const NOTHING = () => null;

/** Editor for Markdown of any length: only what is in the window is laid out. */
export default function MarkdownEditor(props: MarkdownEditorProps) {
  return <CodeEditor {...props} marks={NO_MARKS} target={null} language={LANGUAGE} completion={NOTHING} />;
}

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import type { Json } from '../../mcp/json-rpc';
import classes from './CodeEditor.module.css';
import { editorTheme } from './editor-theme';
import { type Mark, toDiagnostics } from './marks';
import { schemaCompletion } from './schema-completion';

interface CodeEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  marks: readonly Mark[];
  /** Describes the document; null = not known yet. */
  schema: Json | null;
  /** A place to go to, whenever it is another object. */
  target: { line: number; column: number } | null;
}

/** Editor for a YAML document, with completion and with marks at the lines that they are about. */
export default function CodeEditor({ label, value, onChange, marks, schema, target }: CodeEditorProps) {
  const hint = useId();
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const isDark = useComputedColorScheme() === 'dark';
  const changed = useEffectEvent(onChange);
  const currentSchema = useEffectEvent(() => schema);
  const initial = useEffectEvent(() => value);

  useEffect(() => {
    if (!frame.current) return;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: view.current?.state.doc ?? initial(),
        extensions: [
          extensions(() => currentSchema()),
          editorTheme(isDark),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': hint, tabindex: '0' }),
          EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, hint, isDark]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, toDiagnostics(editor.state.doc, marks)));
  }, [marks, isDark]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !target) return;
    const { from, length } = editor.state.doc.line(Math.min(target.line, editor.state.doc.lines));
    editor.dispatch({ selection: { anchor: from + Math.min(target.column - 1, length) }, scrollIntoView: true });
    editor.focus();
  }, [target]);

  return (
    <div>
      <div ref={frame} className={classes.frame} />
      <Text id={hint} size="xs" c="dimmed" mt={4}>
        Ctrl+Space completes. Tab indents; to leave the editor by keyboard, press Escape, then Tab.
      </Text>
    </div>
  );
}

const extensions = (schema: () => Json | null) => [
  lineNumbers(),
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  drawSelection(),
  indentOnInput(),
  indentUnit.of('  '),
  bracketMatching(),
  closeBrackets(),
  highlightSelectionMatches(),
  yaml(),
  autocompletion({ override: [schemaCompletion(schema)], icons: false }),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
];

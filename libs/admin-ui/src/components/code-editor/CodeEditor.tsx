import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionSource,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension, type Text as EditedText } from '@codemirror/state';
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
import classes from './CodeEditor.module.css';
import { editorTheme } from './editor-theme';
import { type Mark, toDiagnostics } from './marks';

export interface EditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  marks: readonly Mark[];
  /** A place to jump to, whenever the object changes. */
  target: { line: number; column: number } | null;
}

interface CodeEditorProps extends EditorProps {
  /** Must be the same object each time; otherwise the editor is recreated. */
  language: Extension;
  completion: CompletionSource;
  isReadOnly?: boolean;
  /** True when it is as high as its text, instead of as high as the window allows. */
  isShort?: boolean;
}

/** Editor for a text in some language, with completion and marks. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, marks, target, language, completion, isReadOnly = false, isShort = false } = props;
  const hint = useId();
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const isDark = useComputedColorScheme() === 'dark';
  const reported = useRef<string>(null); // last value given, or passed to `onChange`
  const changed = useEffectEvent((doc: EditedText) => {
    reported.current = doc.toString();
    onChange(reported.current);
  });
  const complete = useEffectEvent(completion);
  const initial = useEffectEvent(() => value);

  useEffect(() => {
    if (!frame.current) return;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: view.current?.state.doc ?? initial(),
        extensions: [
          EXTENSIONS,
          language,
          autocompletion({ override: [(context) => complete(context)], icons: false }),
          EditorState.readOnly.of(isReadOnly),
          editorTheme(isDark),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': hint, tabindex: '0' }),
          EditorView.updateListener.of(
            ({ docChanged, state, transactions }) =>
              docChanged && !transactions.some((one) => one.annotation(isGiven)) && changed(state.doc),
          ),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, hint, isDark, isReadOnly, language]);

  useEffect(() => {
    const editor = view.current;
    // Most values come from the editor itself: they are not compared with its text, which may be long.
    if (!editor || value === reported.current) return;
    reported.current = value;
    const text = editor.state.toText(value); // its line breaks may be others
    if (editor.state.doc.eq(text)) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, annotations: isGiven.of(true) });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, toDiagnostics(editor.state.doc, marks)));
  }, [marks, isDark, isReadOnly]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !target) return;
    const { from, length } = editor.state.doc.line(Math.min(target.line, editor.state.doc.lines));
    editor.dispatch({ selection: { anchor: from + Math.min(target.column - 1, length) }, scrollIntoView: true });
    editor.focus();
  }, [target]);

  return (
    <div>
      <div ref={frame} className={isShort ? `${classes.frame} ${classes.short}` : classes.frame} />
      <Text id={hint} size="xs" c="dimmed" mt={4}>
        {isReadOnly ? 'This text cannot be changed here.' : HOW_TO_TYPE}
      </Text>
    </div>
  );
}

/** Marks a change that comes from the value: nobody has typed it. */
const isGiven = Annotation.define<boolean>();

const HOW_TO_TYPE = 'Ctrl+Space completes. Tab indents; to leave the editor by keyboard, press Escape, then Tab.';

const EXTENSIONS = [
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

import { yaml } from '@codemirror/lang-yaml';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import classes from './CodeEditor.module.css';
import { editorTheme } from './editor-theme';

interface TextComparisonProps {
  /** Label for screen readers. */
  label: string;
  before: string;
  after: string;
  isYaml?: boolean;
}

/** Shows what changed between two texts, line by line; parts without changes are folded. */
export default function TextComparison({ label, before, after, isYaml = false }: TextComparisonProps) {
  const frame = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme() === 'dark';
  useEffect(() => {
    if (!frame.current) return;
    const view = new EditorView({
      parent: frame.current,
      doc: after,
      extensions: [
        lineNumbers(),
        isYaml ? yaml() : [],
        editorTheme(isDark),
        EditorState.readOnly.of(true),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
      ],
    });
    return () => view.destroy();
  }, [label, before, after, isDark, isYaml]);
  return <div ref={frame} className={`${classes.frame} ${classes.comparison}`} />;
}

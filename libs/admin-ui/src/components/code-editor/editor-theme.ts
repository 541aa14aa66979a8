import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { HIDDEN } from '../../text/hidden-characters';

const BORDER = '1px solid var(--mantine-color-default-border)';
const FLOATING = { backgroundColor: 'var(--mantine-color-body)', color: 'var(--mantine-color-text)', border: BORDER };

const STYLES = {
  '&': { backgroundColor: 'var(--app-surface)', color: 'var(--mantine-color-text)', fontSize: '0.8125rem' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--mantine-color-dimmed)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--app-line)' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--app-selection)',
  },
  '.cm-tooltip': FLOATING,
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: 'var(--mantine-color-white)',
  },
  '.cm-tooltip.cm-completionInfo': { maxWidth: '24rem', padding: '6px 10px' },
  '.cm-diagnostic': { padding: '4px 10px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '.cm-panels': FLOATING,
  '.cm-changedText, ins.cm-insertedLine': { background: 'var(--app-added)', textDecoration: 'none' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--app-added)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--app-removed)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'var(--app-removed)' },
};

const COLORS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--app-code-key)' },
  { tag: [tags.string, tags.content], color: 'var(--app-code-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--app-code-value)' },
  { tag: tags.typeName, color: 'var(--app-code-key)' },
  { tag: tags.annotation, color: 'var(--app-code-key)', fontStyle: 'italic' },
  { tag: [tags.comment, tags.meta], color: 'var(--mantine-color-dimmed)' },
]);

/** Colors by the variables of the theme, so that they follow the color scheme. Shows hidden characters. */
export const editorTheme = (isDark: boolean): Extension => [
  EditorView.theme(STYLES, { dark: isDark }),
  syntaxHighlighting(COLORS),
  highlightSpecialChars({ specialChars: HIDDEN }),
];

import { deleteMarkupBackward, insertNewlineContinueMarkupCommand, markdownLanguage } from '@codemirror/lang-markdown';
import { Language } from '@codemirror/language';
import { Compartment, EditorState, type Extension, Prec, type StateCommand, Text } from '@codemirror/state';
import { type KeyBinding, keymap } from '@codemirror/view';
import { MarkdownParser } from '@lezer/markdown';
import { hasLongBlock } from './long-blocks';
import { continuationOf } from './plain-lists';

// In characters. Limited because finding emphasis and links takes quadratic time.
const MAX_PARAGRAPH = 2_500;

// Not `markdown()`, which also parses HTML in the text, and for that scans all blocks at each keystroke.
const LANGUAGE = [
  inShortParagraphs(markdownLanguage),
  withKeys([
    { key: 'Enter', run: insertNewlineContinueMarkupCommand({ nonTightLists: false }) },
    { key: 'Backspace', run: deleteMarkupBackward },
  ]),
];
const NONE = withKeys([{ key: 'Enter', run: continueByLine }]);

/**
 * Markdown with syntax highlighting, except while a block of the text is too long to be parsed at each keystroke. Enter continues
 * a list or a quote in either case.
 * @param text initial text of the editor
 */
export function markdownUnlessLong(text: string): Extension {
  const language = new Compartment();
  const languageOf = (doc: Text): Extension => (hasLongBlock(doc) ? NONE : LANGUAGE);
  return [
    language.of(languageOf(Text.of(text.split('\n')))),
    // Switches in the transaction that makes a block long, such as a paste, before it is parsed.
    EditorState.transactionExtender.of(({ docChanged, newDoc, startState }) => {
      if (!docChanged) return null;
      const wanted = languageOf(newDoc);
      return language.get(startState) === wanted ? null : { effects: language.reconfigure(wanted) };
    }),
  ];
}

/** Adds key bindings with precedence over those of every editor. */
function withKeys(keys: readonly KeyBinding[]): Extension {
  return Prec.high(keymap.of(keys));
}

/** Parses a long paragraph as several ones; they look the same. */
function inShortParagraphs({ data, name, parser }: Language): Language {
  if (!(parser instanceof MarkdownParser)) throw new TypeError('the language is not Markdown');
  const isLong = {
    name: 'ShortParagraph',
    endLeaf: (_: unknown, __: unknown, leaf: { content: string }) => leaf.content.length > MAX_PARAGRAPH,
  };
  return new Language(data, parser.configure({ parseBlock: [isLong] }), [], name);
}

/** Continues the list or quote of the line; ends it when the line is otherwise empty. */
function continueByLine({ state, dispatch }: Parameters<StateCommand>[0]): boolean {
  const { main, ranges } = state.selection;
  if (ranges.length > 1 || !main.empty) return false;
  const line = state.doc.lineAt(main.head);
  const continuation = continuationOf(line.text);
  if (continuation === null || main.head < line.from + continuation.marker) return false;
  const { marker, next } = continuation;
  const isEnd = line.text.slice(marker).trim() === '';
  const change = isEnd ? { from: line.from, to: line.to } : { from: main.head, insert: `${state.lineBreak}${next}` };
  const caret = isEnd ? line.from : main.head + 1 + next.length;
  dispatch(state.update({ changes: change, selection: { anchor: caret }, scrollIntoView: true, userEvent: 'input' }));
  return true;
}

import { markdownLanguage } from '@codemirror/lang-markdown';
import { Language } from '@codemirror/language';
import { Compartment, EditorState, type Extension, Text } from '@codemirror/state';
import { MarkdownParser } from '@lezer/markdown';
import { hasLongBlock } from './long-blocks';

// In characters: emphasis and links take time that grows with the square of the text in which they are looked for.
const MAX_PARAGRAPH = 2_500;

// Not `markdown()`, which reads HTML in the text as well: for that, it looks at all blocks of the text at each key.
const LANGUAGE = inShortParagraphs(markdownLanguage);
const NONE: Extension = [];

/**
 * Markdown with its colours, and without them for as long as a block of the text is too long to be parsed with each key.
 * @param text What the editor begins with.
 */
export function markdownUnlessLong(text: string): Extension {
  const language = new Compartment();
  const languageOf = (doc: Text): Extension => (hasLongBlock(doc) ? NONE : LANGUAGE);
  return [
    language.of(languageOf(Text.of(text.split('\n')))),
    // In the transaction that makes a block long, such as a paste: before it is parsed.
    EditorState.transactionExtender.of(({ docChanged, newDoc, startState }) => {
      if (!docChanged) return null;
      const wanted = languageOf(newDoc);
      return language.get(startState) === wanted ? null : { effects: language.reconfigure(wanted) };
    }),
  ];
}

/** Reads a long paragraph as several, which look the same. */
function inShortParagraphs({ data, name, parser }: Language): Language {
  if (!(parser instanceof MarkdownParser)) throw new TypeError('the language is not Markdown');
  const isLong = {
    name: 'ShortParagraph',
    endLeaf: (_: unknown, __: unknown, leaf: { content: string }) => leaf.content.length > MAX_PARAGRAPH,
  };
  return new Language(data, parser.configure({ parseBlock: [isLong] }), [], name);
}

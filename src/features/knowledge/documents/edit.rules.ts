import type { Placed } from './document.js';
import { EditRefused } from './knowledge.errors.js';

/** A small change of a text. Texts are taken exactly as they are. */
export interface TextEdit {
  /** Only here; null = anywhere. */
  passage: Pick<Placed, 'content' | 'start'> | null;
  /** null = the whole passage. */
  oldText: string | null;
  /** null = nothing is replaced. */
  newText: string | null;
  /** Goes on a new line at the end; null = nothing. */
  append: string | null;
}

/** Returns the changed text. @throws EditRefused when nothing or too much is said, or when what to replace is not there once */
export function edited(content: string, edit: TextEdit): string {
  const plain = withLineFeeds(edit);
  const { newText, append } = plain;
  if (newText === null && (edit.oldText !== null || edit.passage !== null))
    throw new EditRefused('new_text is missing: it says what to put there');
  if (newText === null && append === null)
    throw new EditRefused('nothing to do: give append, or new_text with old_text or passage_uri');
  const replaced = newText === null ? content : replacedIn(content, plain, newText);
  return append === null ? replaced : `${replaced}${replaced === '' || replaced.endsWith('\n') ? '' : '\n'}${append}`;
}

function replacedIn(content: string, { passage, oldText }: TextEdit, newText: string): string {
  const place = passage ?? { content, start: 0 };
  if (passage && content.slice(passage.start, passage.start + passage.content.length) !== passage.content)
    throw new EditRefused('the document has changed in the meantime: search or read again');
  if (oldText === null && !passage)
    throw new EditRefused('old_text or passage_uri is missing: it says what to replace');
  const old = oldText ?? place.content;
  const at = place.content.indexOf(old);
  const where = passage ? 'the passage' : 'the document';
  if (at < 0)
    throw new EditRefused(
      `old_text does not occur in ${where}: give it exactly as it stands there, with its spaces and line breaks; resource_read returns it`,
    );
  if (place.content.indexOf(old, at + 1) >= 0)
    throw new EditRefused(
      `old_text occurs several times in ${where}: give more of the text around the one to replace${passage ? '' : ', or its passage_uri'}`,
    );
  const start = place.start + at;
  return content.slice(0, start) + newText + content.slice(start + old.length);
}

/** Documents have line feeds only. */
const withLineFeeds = ({ passage, oldText, newText, append }: TextEdit): TextEdit => ({
  passage,
  oldText: lineFeeds(oldText),
  newText: lineFeeds(newText),
  append: lineFeeds(append),
});

const lineFeeds = (text: string | null): string | null => text && text.replace(/\r\n?/g, '\n');

import type { Placed } from './document.js';
import { EditRefused } from './knowledge.errors.js';

/** A small change of a text. Texts are compared literally. */
export interface TextEdit {
  /** Restricts the edit to this passage; null = anywhere. */
  passage: Pick<Placed, 'content' | 'start'> | null;
  /** null = the whole passage. */
  oldText: string | null;
  /** null = nothing is replaced. */
  newText: string | null;
  /** Added on a new line at the end of the passage, or else of the text; null = nothing. */
  append: string | null;
}

/**
 * Returns the changed text. @throws EditRefused when the edit specifies nothing or too much, or when the text to replace does not
 * occur exactly once
 */
export function edited(content: string, edit: TextEdit): string {
  const plain = withLineFeeds(edit);
  const { newText, append } = plain;
  if (newText === null && edit.oldText !== null)
    throw new EditRefused('new_text is missing: it says what to put there');
  if (newText === null && append === null)
    throw new EditRefused('nothing to do: give append, or new_text with old_text or passage_uri');
  const { start, text: place } = placeOf(content, plain);
  const replaced = newText === null ? place : replacedIn(place, plain, newText);
  const changed =
    append === null ? replaced : `${replaced}${replaced === '' || replaced.endsWith('\n') ? '' : '\n'}${append}`;
  return content.slice(0, start) + changed + content.slice(start + place.length);
}

/** Returns the range within which the edit may change anything. */
function placeOf(content: string, { passage }: TextEdit): { start: number; text: string } {
  if (!passage) return { start: 0, text: content };
  const { start, content: text } = passage;
  if (content.slice(start, start + text.length) !== text)
    throw new EditRefused('the document has changed in the meantime: search or read again');
  return { start, text };
}

function replacedIn(place: string, { passage, oldText }: TextEdit, newText: string): string {
  if (oldText === null && !passage)
    throw new EditRefused('old_text or passage_uri is missing: it says what to replace');
  const old = oldText ?? place;
  const at = place.indexOf(old);
  const where = passage ? 'the passage' : 'the document';
  if (at < 0)
    throw new EditRefused(
      `old_text does not occur in ${where}: give it exactly as it stands there, with its spaces and line breaks; resource_read returns it`,
    );
  if (place.indexOf(old, at + 1) >= 0)
    throw new EditRefused(
      `old_text occurs several times in ${where}: give more of the text around the one to replace${passage ? '' : ', or its passage_uri'}`,
    );
  return place.slice(0, at) + newText + place.slice(at + old.length);
}

/** Converts line ends: documents have only line feeds. */
const withLineFeeds = ({ passage, oldText, newText, append }: TextEdit): TextEdit => ({
  passage,
  oldText: lineFeeds(oldText),
  newText: lineFeeds(newText),
  append: lineFeeds(append),
});

const lineFeeds = (text: string | null): string | null => text && text.replace(/\r\n?/g, '\n');

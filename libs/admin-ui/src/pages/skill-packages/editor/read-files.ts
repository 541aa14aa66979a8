import { base64Of } from '../../../files/base64';
import { type DraftFile, SKILL_FILE } from './package-draft';

/** In bytes: what the editor takes. A longer text is kept as it is. */
const LONGEST_TEXT = 500_000;

/** Reads files that were chosen; texts in UTF-8 as texts, which can be edited. @throws Error when SKILL.md is none */
export const readFiles = (chosen: readonly File[]): Promise<DraftFile[]> =>
  Promise.all(
    chosen.map(async (file) => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const text = bytes.length <= LONGEST_TEXT || file.name === SKILL_FILE ? textIn(bytes) : null;
      if (text === null && file.name === SKILL_FILE) throw new Error(`${SKILL_FILE} is no text in UTF-8.`);
      const content = text === null ? ({ kind: 'base64', content: base64Of(bytes) } as const) : null;
      return { path: file.name, size: bytes.length, ...(content ?? { kind: 'text', content: text ?? '' }) };
    }),
  );

/** Returns the text of bytes; null when they are none that would be the same bytes again. */
function textIn(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

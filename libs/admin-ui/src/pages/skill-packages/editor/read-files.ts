import { base64Of } from '../../../files/base64';
import { type DraftFile, SKILL_FILE } from './package-draft';

/** Limit of the editor, in bytes. A longer text is kept unchanged. */
const LONGEST_TEXT = 500_000;

/** Reads chosen files; UTF-8 texts become editable texts. @throws Error when SKILL.md is not a text */
export const readFiles = (chosen: readonly File[]): Promise<DraftFile[]> =>
  Promise.all(
    chosen.map(async (file) => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const text = bytes.length <= LONGEST_TEXT || file.name === SKILL_FILE ? textIn(bytes) : null;
      if (text === null && file.name === SKILL_FILE) throw new Error(`${SKILL_FILE} is not UTF-8 text.`);
      const content = text === null ? ({ kind: 'base64', content: base64Of(bytes) } as const) : null;
      return { path: file.name, size: bytes.length, ...(content ?? { kind: 'text', content: text ?? '' }) };
    }),
  );

/** Decodes bytes as text; null when encoding the text would not give the same bytes. */
function textIn(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

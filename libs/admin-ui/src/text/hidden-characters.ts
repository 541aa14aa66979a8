/** Characters that hide or reorder others: what assistants propose may not be what it looks like. */
export const HIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Splits a text at its hidden characters, which have the odd positions. */
export const splitAtHidden = (text: string): string[] => text.split(new RegExp(`(${HIDDEN.source})`, 'u'));

/** Names a character by its code, such as "U+202E". */
export const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

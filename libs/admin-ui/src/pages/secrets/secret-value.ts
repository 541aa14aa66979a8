import type { SecretValue } from './use-secrets';

/** One part of a secret that has several, such as `username`. */
export interface Part {
  name: string;
  value: string;
}

/** The draft of the form for a secret: one text without a name, or named parts. */
export type SecretDraft = readonly Part[];

export const EMPTY_SECRET: SecretDraft = [{ name: '', value: '' }];

/** Returns whether nothing is entered. */
export const isEmpty = (draft: SecretDraft): boolean => draft.every(({ name, value }) => name === '' && value === '');

/** Returns the value of a draft, or what is missing in it. */
export function valueOf(draft: SecretDraft): { value: SecretValue } | { problem: string } {
  const [first, ...others] = draft;
  if (first && others.length === 0 && first.name === '')
    return first.value === '' ? { problem: 'Enter a value.' } : { value: first.value };
  if (draft.some(({ name }) => name === '')) return { problem: 'Give each part a name.' };
  if (draft.some(({ value }) => value === '')) return { problem: 'Give each part a value.' };
  if (new Set(draft.map(({ name }) => name)).size < draft.length)
    return { problem: 'Give each part a different name.' };
  return { value: Object.fromEntries(draft.map(({ name, value }) => [name, value])) };
}

import type { SecretValue } from './use-secrets';

/** One part of a secret that has several, such as `username`. */
export interface Part {
  name: string;
  value: string;
}

/** What a form for a secret holds: one text without a name, or parts with names. */
export type SecretDraft = readonly Part[];

export const EMPTY_SECRET: SecretDraft = [{ name: '', value: '' }];

/** Whether nothing is entered. */
export const isEmpty = (draft: SecretDraft): boolean => draft.every(({ name, value }) => name === '' && value === '');

/** Returns the value that a draft stands for, or what is missing in it. */
export function valueOf(draft: SecretDraft): { value: SecretValue } | { problem: string } {
  const [first, ...others] = draft;
  if (first && others.length === 0 && first.name === '')
    return first.value === '' ? { problem: 'Enter a value.' } : { value: first.value };
  if (draft.some(({ name }) => name === '')) return { problem: 'Give each part a name.' };
  if (draft.some(({ value }) => value === '')) return { problem: 'Give each part a value.' };
  if (new Set(draft.map(({ name }) => name)).size < draft.length) return { problem: 'Give each part another name.' };
  return { value: Object.fromEntries(draft.map(({ name, value }) => [name, value])) };
}

import type { Json, Problem } from '#open-workflow';

/** JSON in a column, where null stands for JSON's null, too. */
export const toText = (value: Json | Problem): string | null => (value === null ? null : JSON.stringify(value));

export const fromText = (text: string | null): Json => (text === null ? null : (JSON.parse(text) as Json));

import { isJson } from '../mcp/json-rpc';

/** A text that was entered as a value and is not valid JSON yet. */
export class UnreadJson {
  constructor(
    readonly text: string,
    readonly message: string,
  ) {}

  /** Its representation in JSON. */
  toJSON(): string {
    return this.text;
  }
}

/** Returns the places of texts that are not valid JSON yet. */
export function unreadTexts(value: unknown, path: readonly string[] = []): UnreadPlace[] {
  if (value instanceof UnreadJson) return [{ path, message: value.message, isMissing: false }];
  if (!isJson(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => unreadTexts(part, [...path, key]));
}

interface UnreadPlace {
  path: readonly string[];
  message: string;
  isMissing: boolean;
}

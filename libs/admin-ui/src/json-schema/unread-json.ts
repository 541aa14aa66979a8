import { isJson } from '../mcp/json-rpc';

/** A text that was entered in the place of a value and is no JSON yet. */
export class UnreadJson {
  constructor(
    readonly text: string,
    readonly message: string,
  ) {}

  /** What JSON shows of it. */
  toJSON(): string {
    return this.text;
  }
}

/** Returns where texts are that are no JSON yet. */
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

/** Where a client gets the key: from a file that only its user can read, from the environment, or by prompting its user. */
export type KeyPlace = 'file' | 'environment' | 'prompt';

/** Instructions for one client. */
export interface Snippet {
  client: string;
  /** The file or the place for the snippet. */
  where: string;
  key: KeyPlace;
  text: (url: string) => string;
  /** Returns the URL that makes the program add the service; it gets the key as with the snippet. */
  install: ((url: string) => string) | undefined;
  /** Notes about this client. */
  notes: readonly string[];
}

/** Instructions for signing in with one program. */
export interface SignInSnippet extends Pick<Snippet, 'client' | 'where' | 'text'> {
  /** What to do afterwards, in order. */
  steps: readonly string[];
}

/** The placeholder of the key in a text. */
const PLACE_OF_KEY = /\bKEY\b/g;

/** Returns a text with a key filled in; null leaves it unchanged. */
export const withKey = (text: string, key: string | null): string =>
  key === null ? text : text.replace(PLACE_OF_KEY, () => key);

/** Where a client has the key from: a file that only its user reads, the environment, or its user, whom it asks. */
export type KeyPlace = 'file' | 'environment' | 'prompt';

/** Instructions for one client. */
export interface Snippet {
  client: string;
  /** The file or the place that the snippet belongs in. */
  where: string;
  key: KeyPlace;
  text: (url: string) => string;
  /** Returns the address that has the program add the service; it gets the key as with the snippet. */
  install: ((url: string) => string) | undefined;
  /** Notes about this client. */
  notes: readonly string[];
}

/** How people sign in with one program. */
export interface SignInSnippet extends Pick<Snippet, 'client' | 'where' | 'text'> {
  /** What to do afterwards, in this order. */
  steps: readonly string[];
}

/** The place of the key in a text. */
const PLACE_OF_KEY = /\bKEY\b/g;

/** Returns a text with a key filled in; null leaves it as it is. */
export const withKey = (text: string, key: string | null): string =>
  key === null ? text : text.replace(PLACE_OF_KEY, () => key);

/** Instructions for one client. */
export interface Snippet {
  client: string;
  /** The file or the place that the snippet belongs in. */
  where: string;
  text: (url: string) => string;
  /** Returns the address that has the program add the service; `key` is null when the program gets it by itself. */
  install: ((url: string, key: string | null) => string) | undefined;
  /** Notes about this client. */
  notes: readonly string[];
}

/** The places of the key in snippets. Codex only takes the name of a variable. */
const PLACE_OF_KEY = /(?<=Bearer )(?:KEY|<API_KEY>|\$AGENT_KEY|\$?\{(?:env:)?AGENT_KEY\})/g;

/** Returns a snippet with a key filled in; null leaves it as it is. */
export const withKey = (text: string, key: string | null): string =>
  key === null ? text : text.replace(PLACE_OF_KEY, () => key);

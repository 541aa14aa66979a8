/** How one client is told of this service. */
export interface Snippet {
  client: string;
  /** The file or the place it goes to. */
  where: string;
  text: (url: string) => string;
  /** What to know of this client. */
  notes: readonly string[];
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Instructions for one client. */
export interface Snippet {
  client: string;
  /** The file or the place that the snippet belongs in. */
  where: string;
  text: (url: string) => string;
  /** Notes about this client. */
  notes: readonly string[];
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** How long the pages wait for an answer. */
export const TIME_LIMIT_MS = 60_000;

/** Uploads, and what is done to many objects at once, may take longer. */
const WITHOUT_LIMIT =
  /^(?:POST \S*\/(?:import(?:\/preview)?|opml|runs\/repeat|skill-packages|skill-modules|skill-module-samples\/[^/]+)|PUT \S*\/skill-packages\/[^/]+)$/;

export const hasTimeLimit = ({ method, url }: Pick<Request, 'method' | 'url'>): boolean =>
  !WITHOUT_LIMIT.test(`${method} ${new URL(url).pathname}`);

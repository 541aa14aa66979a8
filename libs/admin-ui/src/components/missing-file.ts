/** The errors of browsers (Chromium, Firefox, Safari) and Vite when a file of a page cannot be loaded. */
const MISSING =
  /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS)/;

/** Returns whether a page failed because one of its files could not be loaded: the service is unavailable, or has a new build. */
export const isMissingFile = (error: unknown): boolean => error instanceof Error && MISSING.test(error.message);

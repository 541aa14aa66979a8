/** What browsers (Chromium, Firefox, Safari) and Vite say when a file of a page cannot be loaded. */
const MISSING =
  /^(?:Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS)/;

/** Whether a page failed because one of its files could not be loaded: the service is away, or has another build by now. */
export const isMissingFile = (error: unknown): boolean => error instanceof Error && MISSING.test(error.message);

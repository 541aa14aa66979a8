const PREFIX = 'person:';

/** Returns the account of a caller; null when it is a client. */
export const accountOf = (caller: string): string | null =>
  caller.startsWith(PREFIX) ? caller.slice(PREFIX.length) : null;

/** Returns the name of a caller for use in texts. */
export const callerName = (caller: string): string => accountOf(caller) ?? caller;

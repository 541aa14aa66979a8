const PREFIX = 'person:';

/** Somebody with an account, who calls through a program. */
export interface Person {
  /** As returned by `personName`. */
  name: string;
  groups: readonly string[];
  createdAt: Date;
}

/** Returns the name under which a person calls, which no client can have. @param account name of the account */
export const personName = (account: string): string => PREFIX + account;

/** Returns the account of a caller; null when the caller is a client. */
export const accountOf = (caller: string): string | null =>
  caller.startsWith(PREFIX) ? caller.slice(PREFIX.length) : null;

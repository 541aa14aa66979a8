import type { QueryClient } from '@tanstack/react-query';
import { type Identity, SESSION_KEY } from './session';

/**
 * Keeps the user in sync between tabs, which share the session cookie: each tab announces its user, and a tab with another user
 * reloads it. The cache is cleared when the user changes.
 */
export function shareSession(queries: QueryClient): void {
  const tabs = new BroadcastChannel('session');
  let last: string | null = null; // null = nobody was logged in yet
  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !isSession(event.query)) return;
    const person = personIn(queries) ?? null;
    tabs.postMessage(person);
    if (last !== null && person !== null && person !== last) void queries.resetQueries({ predicate: isOfPerson });
    last = person ?? last;
  });
  tabs.onmessage = ({ data }) => {
    const person = personIn(queries);
    if (person !== undefined && person !== data) void queries.refetchQueries({ queryKey: SESSION_KEY });
  };
}

/** Returns the current user with their role; null when nobody is logged in, undefined while unknown. */
function personIn(queries: QueryClient): string | null | undefined {
  const identity = queries.getQueryData<Identity | null>(SESSION_KEY);
  return identity ? `${identity.role} ${identity.user}` : identity;
}

const isSession = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] === SESSION_KEY[0];
const isOfPerson = (query: { queryKey: readonly unknown[] }): boolean => !isSession(query);

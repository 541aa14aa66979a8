import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasUnsavedChanges } from '../components/use-unsaved-changes';
import { isGone, isLoggedOut, isTimedOut, isUnanswered } from './api-error';
import { SESSION_KEY } from './session';

/** Shows the login form as soon as a response shows that the session has ended. */
function noticeLogOut(error: unknown): void {
  if (isLoggedOut(error)) queryClient.setQueryData(SESSION_KEY, null);
}

/**
 * Removes what no longer exists from its page, except while it is being edited. The lists that may still contain it are loaded
 * again when they are opened.
 */
function noticeGone(error: Error, gone: Query<unknown, unknown>): void {
  if (!isGone(error)) return;
  if (!hasUnsavedChanges()) gone.setState({ data: undefined });
  const [kind] = gone.queryKey;
  void queryClient.invalidateQueries({
    queryKey: [kind],
    predicate: (query) => query !== gone,
    refetchType: 'none',
  });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      noticeLogOut(error);
      noticeGone(error, query);
    },
  }),
  mutationCache: new MutationCache({ onError: noticeLogOut }),
  defaultOptions: {
    // A service on the same machine can be reached while the browser is offline, so requests are not held back.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5_000,
      // A refused request would be refused again. Only requests without a response are retried, if that was soon known.
      retry: (failures, error) => failures < 2 && isUnanswered(error) && !isTimedOut(error),
    },
  },
});

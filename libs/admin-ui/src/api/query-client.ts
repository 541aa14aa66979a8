import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasUnsavedChanges } from '../components/use-unsaved-changes';
import { isGone, isLoggedOut, isTimedOut, isUnanswered } from './api-error';
import { PASSWORD_KEY, SESSION_KEY } from './session';

/**
 * Reads the session again when a response shows that it has ended, so that the login form is shown. While the password is changed,
 * other requests may have the cookie of the session before: only the end of the change tells.
 */
function noticeLogOut(error: unknown): void {
  if (!isLoggedOut(error) || queryClient.isMutating({ mutationKey: PASSWORD_KEY }) > 0) return;
  if (queryClient.getQueryData(SESSION_KEY)) void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
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

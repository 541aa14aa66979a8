import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isLoggedOut } from './api-error';
import { SESSION_KEY } from './session';

/** Shows the login form as soon as a response shows that the session has ended. */
function noticeLogOut(error: unknown): void {
  if (isLoggedOut(error)) queryClient.setQueryData(SESSION_KEY, null);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeLogOut }),
  mutationCache: new MutationCache({ onError: noticeLogOut }),
  defaultOptions: {
    // A service on the same machine can be reached while the browser is offline, so requests are not held back.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5_000,
      // A refused request would be refused again. Only requests without a response are retried.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
    },
  },
});

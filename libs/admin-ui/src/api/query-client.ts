import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isLoggedOut } from './api-error';
import { SESSION_KEY } from './session';

/** A session that ended anywhere ends everywhere: the login page takes the place of the page. */
function noticeLogOut(error: unknown): void {
  if (isLoggedOut(error)) queryClient.setQueryData(SESSION_KEY, null);
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeLogOut }),
  mutationCache: new MutationCache({ onError: noticeLogOut }),
  defaultOptions: {
    // A service on this machine answers offline, too; and waiting in silence helps nobody.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // What the service refused it will refuse again; only silence is worth another try.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
    },
  },
});

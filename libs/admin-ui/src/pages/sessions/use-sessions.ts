import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

export type Session = Schemas['SessionView'];

const SESSIONS_KEY = ['sessions'];
const PAGE_SIZE = 50;
const REFRESH_MS = 10_000;

/** @param client the owner of the sessions; undefined = all clients */
export function useSessions(client?: string) {
  return useInfiniteQuery({
    queryKey: client === undefined ? SESSIONS_KEY : [...SESSIONS_KEY, client],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(api.GET('/admin/api/sessions', { params: { query: { limit: PAGE_SIZE, cursor, client } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: REFRESH_MS,
  });
}

export function useEndSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/admin/api/sessions/{id}', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
}

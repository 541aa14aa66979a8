import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { RunFilter } from './run-filter';
import type { Repeat, TaskTest } from './run-types';

const RUNS_KEY = 'runs';
const LIST_KEY = [RUNS_KEY, 'list'];
const PAGE_SIZE = 30;
// Polling stops while the page is hidden.
const LIVE_MS = 1_000;
const LIST_MS = 2_000;
const COUNTED_PAGE = 100;
/** Maximum number of runs that the service repeats at once. */
export const MOST_REPEATED = 1_000;

const oneKey = (id: string) => [RUNS_KEY, 'one', id];

export function useRuns(filter: RunFilter) {
  return useInfiniteQuery({
    queryKey: [...LIST_KEY, filter],
    queryFn: ({ pageParam: cursor }) =>
      bodyOf(api.GET('/admin/api/runs', { params: { query: { ...filter, limit: PAGE_SIZE, cursor } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: LIST_MS,
  });
}

/** Polls a run until it has ended. */
export function useRun(id: string) {
  return useQuery({
    queryKey: oneKey(id),
    queryFn: () => bodyOf(api.GET('/admin/api/runs/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => (data && data.endedAt === null ? LIVE_MS : false),
  });
}

/** Loads a step with an input and an output that are too long for the list of steps. */
export function useWholeStep(
  id: string,
  { name, isCut, endedAt }: { name: string; isCut: boolean; endedAt: string | null },
) {
  return useQuery({
    queryKey: [RUNS_KEY, 'step', id, name, endedAt],
    queryFn: () => bodyOf(api.GET('/admin/api/runs/{id}/step', { params: { path: { id }, query: { name } } })),
    enabled: isCut,
  });
}

export function useCancelRun(id: string) {
  const refresh = useRefreshRuns();
  return useMutation({
    mutationFn: () => api.POST('/admin/api/runs/{id}/cancel', { params: { path: { id } } }),
    onSettled: refresh,
  });
}

/** Repeats a run; with a step, from that step on. */
export function useRepeat(id: string) {
  const refresh = useRefreshRuns();
  return useMutation({
    mutationFn: (from: Repeat) =>
      bodyOf(api.POST('/admin/api/runs/{id}/repeat', { params: { path: { id } }, body: from })),
    onSuccess: refresh,
  });
}

export function useTestTask(name: string) {
  const refresh = useRefreshRuns();
  return useMutation({
    mutationFn: (body: TaskTest) =>
      bodyOf(api.POST('/admin/api/workflows/{name}/test-task', { params: { path: { name } }, body })),
    onSuccess: refresh,
  });
}

/** Counts the runs that `useRepeatAll` would repeat. */
export function useCountRepeated() {
  return useMutation({
    mutationFn: async (filter: RunFilter) => {
      let count = 0;
      let cursor: string | undefined;
      do {
        const query = { ...filter, limit: COUNTED_PAGE, cursor };
        const page = await bodyOf(api.GET('/admin/api/runs', { params: { query } }));
        count += page.items.filter(({ parent }) => parent === null).length;
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined && count < MOST_REPEATED);
      return Math.min(count, MOST_REPEATED);
    },
  });
}

/** Repeats runs with their own version of the workflow, or with the current one. */
export function useRepeatAll(version: 'own' | 'current') {
  const refresh = useRefreshRuns();
  return useMutation({
    mutationFn: (filter: RunFilter) => bodyOf(api.POST('/admin/api/runs/repeat', { body: { filter, version } })),
    onSettled: refresh,
  });
}

function useRefreshRuns() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [RUNS_KEY] });
}

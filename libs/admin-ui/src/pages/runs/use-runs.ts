import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, bodyOf, type Schemas, useChange, usePages, useRead } from '../../api/client';
import type { RunFilter } from './run-filter';

export type RunSummary = Schemas['RunSummaryView'];
export type FullRun = Schemas['RunView'];
export type RunStep = Schemas['StepView'];
export type RunLog = Schemas['RunLogView'];
export type OpenQuestion = Schemas['OpenQuestionView'];
export type RunProblem = Schemas['ProblemView'];
export type Repeat = Schemas['RepeatBody'];
export type TaskTest = Schemas['TaskTestBody'];

/** Returns whether a run may be repeated. As an administrator, the trial of a proposal would have other permissions. */
export const isRepeatable = ({ isTest, client }: FullRun): boolean => !isTest || client === 'admin';

const RUNS_KEY = ['runs'];
const LIST_KEY = [...RUNS_KEY, 'list'];
const PAGE_SIZE = 30;
// Polling stops while the page is hidden.
const LIVE_MS = 1_000;
const LIST_MS = 2_000;
const COUNTED_PAGE = 100;
// A browser takes a second for a thousand rows, again at each look at a run that is under way.
const STEPS_AT_ONCE = 100;
/** Maximum number of runs that the service repeats at once. */
export const MOST_REPEATED = 1_000;

const oneKey = (id: string) => [...RUNS_KEY, 'one', id];

export const useRuns = (filter: RunFilter) =>
  usePages(
    [...LIST_KEY, filter],
    (cursor) => api.GET('/admin/api/runs', { params: { query: { ...filter, limit: PAGE_SIZE, cursor } } }),
    { keepsPrevious: true, refetchInterval: LIST_MS },
  );

/** Polls a run until it has ended. */
export const useRun = (id: string) =>
  useRead(oneKey(id), () => api.GET('/admin/api/runs/{id}', { params: { path: { id } } }), {
    refetchInterval: ({ state: { data } }) => (data && data.endedAt === null ? LIVE_MS : false),
  });

/** Loads the last steps of a run, and earlier ones on demand; polls them until the run has ended. */
export function useSteps(id: string, hasEnded: boolean) {
  const [hadEnded] = useState(hasEnded);
  const steps = usePages(
    [...RUNS_KEY, 'steps', id],
    (cursor) =>
      api.GET('/admin/api/runs/{id}/steps', { params: { path: { id }, query: { limit: STEPS_AT_ONCE, cursor } } }),
    { refetchInterval: hasEnded ? false : LIVE_MS },
  );
  const { refetch } = steps;
  // The steps between the last poll and the end.
  useEffect(() => {
    if (hasEnded && !hadEnded) void refetch();
  }, [hasEnded, hadEnded, refetch]);
  return steps;
}

/** Loads a step with an input and an output that are too long for the list of steps. */
export const useWholeStep = (
  id: string,
  { name, isCut, endedAt }: { name: string; isCut: boolean; endedAt: string | null },
) =>
  useRead(
    [...RUNS_KEY, 'step', id, name, endedAt],
    () => api.GET('/admin/api/runs/{id}/step', { params: { path: { id }, query: { name } } }),
    { enabled: isCut },
  );

export const useCancelRun = (id: string) =>
  useChange([RUNS_KEY], () => api.POST('/admin/api/runs/{id}/cancel', { params: { path: { id } } }));

/** Repeats a run; with a step, from that step on. */
export const useRepeat = (id: string) =>
  useChange([RUNS_KEY], (from: Repeat) =>
    api.POST('/admin/api/runs/{id}/repeat', { params: { path: { id } }, body: from }),
  );

export const useTestTask = (name: string) =>
  useChange([RUNS_KEY], (body: TaskTest) =>
    api.POST('/admin/api/workflows/{name}/test-task', { params: { path: { name } }, body }),
  );

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
export const useRepeatAll = (version: 'own' | 'current') =>
  useChange([RUNS_KEY], (filter: RunFilter) => api.POST('/admin/api/runs/repeat', { body: { filter, version } }));

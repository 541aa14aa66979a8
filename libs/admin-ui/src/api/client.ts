import createClient from 'openapi-fetch';
import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  type UseMutationOptions,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { isUnanswered, timedOut, toApiError, toUnreachable } from './api-error';
import type { components, paths } from './schema';
import { hasTimeLimit, TIME_LIMIT_MS } from './time-limit';

export type Schemas = components['schemas'];

/** Client of the REST API, typed by its OpenAPI document. It throws failures as `ApiError`. */
export const api = createClient<paths>({ fetch: withinTimeLimit });

api.use({
  async onResponse({ response }) {
    if (!response.ok) throw await toApiError(response);
  },
  onError({ error }) {
    throw toUnreachable(error);
  },
});

async function withinTimeLimit(request: Request): Promise<Response> {
  if (!hasTimeLimit(request)) return whole(await fetch(request));
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIME_LIMIT_MS);
  try {
    return await whole(await fetch(request, { signal: limit.signal }));
  } catch (error) {
    throw limit.signal.aborted ? timedOut() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for the body of an answer, so that one that is cut off or not from the service fails like one that never came. */
async function whole(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const body = await response.text();
  if (body !== '') JSON.parse(body);
  return new Response(body || null, response);
}

/** Headers for a change that applies only if this version is current. */
export const basedOn = (version: number | string) => ({ 'If-Match': `"${version}"` });

/** A request under way. */
export type Call<Body> = Promise<{ data?: Body; response: Response }>;

/** Returns the body of the response to a request; undefined for one that has none (204). */
export async function bodyOf<Body>(call: Call<Body>): Promise<Body> {
  const { data, response } = await call;
  if (data === undefined && response.status !== 204) throw new Error('the answer has no body');
  return data as Body;
}

type ReadOptions<Body> = Omit<UseQueryOptions<Body>, 'queryKey' | 'queryFn' | 'select'>;

/** Loads what a request returns. */
export function useRead<Body>(queryKey: QueryKey, request: () => Call<Body>, options: ReadOptions<Body> = {}) {
  return useQuery({ queryKey, queryFn: () => bodyOf(request()), ...options });
}

/** Loads the items of a list that comes in one piece. */
export function useList<Item>(
  queryKey: QueryKey,
  request: () => Call<{ items: Item[] }>,
  options: ReadOptions<Item[]> = {},
) {
  return useQuery({ queryKey, queryFn: async () => (await bodyOf(request())).items, ...options });
}

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

interface PagesOptions {
  /** Shows the previous results while other ones are loaded, as during typing. */
  keepsPrevious?: boolean;
  refetchInterval?: number | false;
}

/** Loads a list page by page. Its data has all items so far, and the first page. */
export function usePages<Some extends Page<unknown>>(
  queryKey: QueryKey,
  request: (cursor: string | undefined) => Call<Some>,
  { keepsPrevious = false, ...options }: PagesOptions = {},
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => bodyOf(request(pageParam)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: inOneList<Some>,
    placeholderData: keepsPrevious ? keepPreviousData : undefined,
    ...options,
  });
}

const inOneList = <Some extends Page<unknown>>({ pages }: { pages: Some[] }) => ({
  first: pages[0],
  items: pages.flatMap(({ items }): Some['items'][number][] => items),
});

type ChangeOptions<Body, Input> = Pick<UseMutationOptions<Body, Error, Input>, 'mutationKey' | 'onSuccess' | 'onError'>;

/**
 * Changes something, and loads what the queries under these keys show again, also after a failure: the service may have done it
 * all the same. The change is pending until then, except when the service does not answer.
 */
export function useChange<Body, Input = void>(
  keys: readonly QueryKey[],
  request: (input: Input) => Call<Body>,
  options: ChangeOptions<Body, Input> = {},
) {
  const queries = useQueryClient();
  return useMutation<Body, Error, Input>({
    ...options,
    mutationFn: (input) => bodyOf(request(input)),
    onSettled: (_body, error) => {
      const loaded = Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
      return isUnanswered(error) ? undefined : loaded;
    },
  });
}

/**
 * Deletes the object of a page, and marks what the queries under these keys show as stale for the next page. This page does not
 * load it again, because it no longer exists.
 */
export function useDeletion<Body>(keys: readonly QueryKey[], request: () => Call<Body>) {
  const queries = useQueryClient();
  const outdate = (refetchType: 'none' | 'active') => () =>
    Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey, refetchType })));
  return useMutation({
    mutationFn: () => bodyOf(request()),
    onSuccess: outdate('none'),
    onError: outdate('active'),
  });
}

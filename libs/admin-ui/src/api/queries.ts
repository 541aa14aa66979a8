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
import { isUnanswered } from './api-error';
import { bodyOf, type Call } from './client';

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

import { type QueryKey, useQueryClient } from '@tanstack/react-query';

/**
 * After a mutation has deleted the object of a page, marks the queries under these keys as stale for the next page. This page
 * does not refetch them, because the object no longer exists.
 */
export function useAfterDeletion(...keys: readonly QueryKey[]) {
  const queries = useQueryClient();
  const outdate = (refetchType: 'none' | 'active') => () =>
    Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey, refetchType })));
  return { onSuccess: outdate('none'), onError: outdate('active') };
}

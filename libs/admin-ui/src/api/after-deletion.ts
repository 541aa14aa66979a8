import { type QueryKey, useQueryClient } from '@tanstack/react-query';

/**
 * What a mutation does after it has deleted what the page is about: the next page asks anew for all under these keys. This page
 * does not, because it would be told that there is no such thing.
 */
export function useAfterDeletion(...keys: readonly QueryKey[]) {
  const queries = useQueryClient();
  const outdate = (refetchType: 'none' | 'active') => () =>
    Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey, refetchType })));
  return { onSuccess: outdate('none'), onError: outdate('active') };
}

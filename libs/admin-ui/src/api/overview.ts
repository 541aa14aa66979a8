import { useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from './client';

export type Overview = Schemas['Overview'];

const REFRESH_MS = 5_000;

/** Loads the numbers of the dashboard again and again, except while the page is hidden. */
export function useOverview() {
  return useQuery({
    queryKey: ['overview'],
    queryFn: () => bodyOf(api.GET('/admin/api/overview')),
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: false,
  });
}

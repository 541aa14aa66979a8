import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';

/** Returns the providers for logging in. */
export function useLoginChoices() {
  return useQuery({
    queryKey: ['login-choices'],
    queryFn: () => bodyOf(api.GET('/admin/api/sso/providers')),
    staleTime: Infinity,
  });
}

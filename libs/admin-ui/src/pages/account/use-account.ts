import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

const ACCOUNT_KEY = ['account'];
const SESSIONS_KEY = [...ACCOUNT_KEY, 'sessions'];

export function useAccount() {
  return useQuery({ queryKey: ACCOUNT_KEY, queryFn: () => bodyOf(api.GET('/admin/api/account')) });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['OwnPasswordBody']) => api.PUT('/admin/api/account/password', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ACCOUNT_KEY }),
  });
}

export function useOwnSessions() {
  return useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/account/sessions'))).items,
  });
}

export function useEndOwnSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/admin/api/account/sessions/{id}', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
}

export function useLogOutEverywhere() {
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/account/sessions'),
    // The next user must not see cached data.
    onSuccess: () => window.location.reload(),
  });
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isLoggedOut } from './api-error';
import { api, bodyOf, type Schemas } from './client';

export const SESSION_KEY = ['session'];

type Identity = Schemas['AdminIdentityView'];

/** Who is logged in; null = nobody. */
export function useSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: findSession, staleTime: Infinity });
}

async function findSession(): Promise<Identity | null> {
  try {
    return await bodyOf(api.GET('/admin/api/session'));
  } catch (error) {
    if (isLoggedOut(error)) return null;
    throw error;
  }
}

export function useLogIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => bodyOf(api.POST('/admin/api/session', { body: { password } })),
    onSuccess: (identity) => queries.setQueryData(SESSION_KEY, identity),
  });
}

export function useLogOut() {
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/session'),
    // Nothing is kept for whoever logs in next.
    onSuccess: () => window.location.reload(),
  });
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isLoggedOut } from './api-error';
import { api, bodyOf, type Schemas } from './client';

export const SESSION_KEY = ['session'];

type Identity = Schemas['AdminIdentityView'];

/** Returns who is logged in; null when nobody is. */
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
    // The next user must not see what is cached.
    onSuccess: () => window.location.reload(),
  });
}

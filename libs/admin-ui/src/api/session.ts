import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isLoggedOut } from './api-error';
import { api, bodyOf, type Schemas } from './client';

export const SESSION_KEY = ['session'];

export type Identity = Schemas['AdminIdentityView'];
export type Role = Identity['role'];

/** Each may do all that the ones before it may. */
const ROLES: readonly Role[] = ['member', 'viewer', 'editor', 'admin'];

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

/**
 * Returns whether the role of who is logged in is enough. When nobody is, it is, too: the page is then kept behind the login
 * form with everything that was entered.
 */
export function useMay(needed: Role): boolean {
  const { data } = useSession();
  return !data || ROLES.indexOf(data.role) >= ROLES.indexOf(needed);
}

export function useLogIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['LogInBody']) => bodyOf(api.POST('/admin/api/session', { body })),
    onSuccess: (identity) => queries.setQueryData(SESSION_KEY, identity),
  });
}

interface LogOutOptions {
  /** Whether the page stays where it is, and nobody is logged out at the provider from which they came. */
  staysHere?: boolean;
  /** Runs when nobody is logged in any more, before the page goes. */
  onLoggedOut?: () => void;
}

export function useLogOut({ staysHere = false, onLoggedOut }: LogOutOptions = {}) {
  return useMutation({
    mutationFn: () => bodyOf(api.DELETE('/admin/api/session')),
    // The next user must not see what is cached.
    onSuccess: ({ to }) => {
      onLoggedOut?.();
      if (to === null || staysHere) window.location.reload();
      else window.location.assign(to);
    },
  });
}

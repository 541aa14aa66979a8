import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isLoggedOut } from './api-error';
import { api, bodyOf, type Schemas } from './client';

export const SESSION_KEY = ['session'];
/** Of a change of the own password, which ends the session and brings a new one. */
export const PASSWORD_KEY = ['own password'];

export type Identity = Schemas['AdminIdentityView'];
export type Role = Identity['role'];

/** Each role includes the ones before it. */
const ROLES: readonly Role[] = ['member', 'viewer', 'editor', 'admin'];

/** Returns the current user; null when nobody is logged in. */
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
 * Returns whether the role of the current user is sufficient. True also when nobody is logged in: the page is then kept behind
 * the login form, with all unsaved input.
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
  /** True when the page stays open and the user is not logged out at their provider. */
  staysHere?: boolean;
  /** Called after the logout, before the page is left. */
  onLoggedOut?: () => void;
}

export function useLogOut({ staysHere = false, onLoggedOut }: LogOutOptions = {}) {
  return useMutation({
    mutationFn: () => bodyOf(api.DELETE('/admin/api/session')),
    // The next user must not see cached data.
    onSuccess: ({ to }) => {
      onLoggedOut?.();
      if (to === null || staysHere) window.location.reload();
      else window.location.assign(to);
    },
  });
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { showError } from '../../components/notices';
import { showNewPassword } from './show-new-password';

export type Administrator = Schemas['AdministratorView'];
export type AdminSession = Schemas['AdminSessionView'];

/** The account that can be neither deleted nor disabled. */
export const BUILT_IN = 'admin';

const ADMINISTRATORS_KEY = ['administrators'];
const sessionsKey = (name: string) => [...ADMINISTRATORS_KEY, name, 'sessions'];

export function useAdministrators() {
  return useQuery({
    queryKey: ADMINISTRATORS_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/administrators'))).items,
  });
}

export function useAdministrator(name: string) {
  return useQuery({
    queryKey: [...ADMINISTRATORS_KEY, name],
    queryFn: () => bodyOf(api.GET('/admin/api/administrators/{name}', { params: { path: { name } } })),
  });
}

/** Creates an account, and shows its password, even if the page has been left in the meantime. */
export function useCreateAdministrator() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Schemas['NewAdministratorBody']) => bodyOf(api.POST('/admin/api/administrators', { body })),
    onSuccess: ({ name, password }) => showNewPassword(name, password ?? ''),
    onSettled: refresh,
  });
}

export function useUpdateAccount(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Schemas['AdministratorBody']) =>
      bodyOf(api.PUT('/admin/api/administrators/{name}', { params: { path: { name } }, body })),
    onSettled: refresh,
  });
}

/** Generates a password, and shows it, even if the page has been left in the meantime. */
export function useSetPassword(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () =>
      bodyOf(api.POST('/admin/api/administrators/{name}/password', { params: { path: { name } }, body: {} })),
    onSuccess: ({ password }) => showNewPassword(name, password ?? ''),
    onError: showError,
    onSettled: refresh,
  });
}

export function useDeleteAdministrator(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/administrators/{name}', { params: { path: { name } } }),
    onSettled: refresh,
  });
}

export function useAdminSessions(name: string) {
  return useQuery({
    queryKey: sessionsKey(name),
    queryFn: async () =>
      (await bodyOf(api.GET('/admin/api/administrators/{name}/sessions', { params: { path: { name } } }))).items,
  });
}

export function useEndAdminSession(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) =>
      api.DELETE('/admin/api/administrators/{name}/sessions/{id}', { params: { path: { name, id } } }),
    onSettled: refresh,
  });
}

export function useEndAdminSessions(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/administrators/{name}/sessions', { params: { path: { name } } }),
    onSettled: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ADMINISTRATORS_KEY });
}

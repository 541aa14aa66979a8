import { api, type Schemas, useChange, useList, useRead } from '../../api/client';
import { showError } from '../../components/notices';
import { showOnce } from '../../components/show-once';

export type Administrator = Schemas['AdministratorView'];
export type AdminSession = Schemas['AdminSessionView'];

/** The account that can be neither deleted nor disabled. */
export const BUILT_IN = 'admin';

const ADMINISTRATORS_KEY = ['administrators'];
const sessionsKey = (name: string) => [...ADMINISTRATORS_KEY, name, 'sessions'];

export const useAdministrators = () => useList(ADMINISTRATORS_KEY, () => api.GET('/admin/api/administrators'));

export const useAdministrator = (name: string) =>
  useRead([...ADMINISTRATORS_KEY, name], () =>
    api.GET('/admin/api/administrators/{name}', { params: { path: { name } } }),
  );

/** Creates an account, and shows its password, even if the page has been left in the meantime. */
export const useCreateAdministrator = () =>
  useChange(
    [ADMINISTRATORS_KEY],
    (body: Schemas['NewAdministratorBody']) => api.POST('/admin/api/administrators', { body }),
    { onSuccess: ({ name, password }) => showNewPassword(name, password ?? '') },
  );

export const useUpdateAccount = (name: string) =>
  useChange([ADMINISTRATORS_KEY], (body: Schemas['AdministratorBody']) =>
    api.PUT('/admin/api/administrators/{name}', { params: { path: { name } }, body }),
  );

/** Generates a password, and shows it, even if the page has been left in the meantime. */
export const useSetPassword = (name: string) =>
  useChange(
    [ADMINISTRATORS_KEY],
    () => api.POST('/admin/api/administrators/{name}/password', { params: { path: { name } }, body: {} }),
    { onSuccess: ({ password }) => showNewPassword(name, password ?? ''), onError: showError },
  );

export const useDeleteAdministrator = (name: string) =>
  useChange([ADMINISTRATORS_KEY], () => api.DELETE('/admin/api/administrators/{name}', { params: { path: { name } } }));

export const useAdminSessions = (name: string) =>
  useList(sessionsKey(name), () =>
    api.GET('/admin/api/administrators/{name}/sessions', { params: { path: { name } } }),
  );

export const useEndAdminSession = (name: string) =>
  useChange([ADMINISTRATORS_KEY], (id: string) =>
    api.DELETE('/admin/api/administrators/{name}/sessions/{id}', { params: { path: { name, id } } }),
  );

export const useEndAdminSessions = (name: string) =>
  useChange([ADMINISTRATORS_KEY], () =>
    api.DELETE('/admin/api/administrators/{name}/sessions', { params: { path: { name } } }),
  );

const showNewPassword = (name: string, password: string): void =>
  showOnce({
    title: `The password of ${name}`,
    text: 'Pass it on now: it cannot be shown again. Its owner can change it under “Your account”.',
    secret: password,
  });

import { useMutation } from '@tanstack/react-query';
import { api, type Schemas, useChange, useList, useRead } from '../../api/client';
import { PASSWORD_KEY, SESSION_KEY } from '../../api/session';

const ACCOUNT_KEY = ['account'];
const SESSIONS_KEY = [...ACCOUNT_KEY, 'sessions'];

export const useAccount = () => useRead(ACCOUNT_KEY, () => api.GET('/admin/api/account'));

export const useChangePassword = () =>
  useChange(
    [ACCOUNT_KEY, SESSION_KEY],
    (body: Schemas['OwnPasswordBody']) => api.PUT('/admin/api/account/password', { body }),
    { mutationKey: PASSWORD_KEY },
  );

export const useOwnSessions = () => useList(SESSIONS_KEY, () => api.GET('/admin/api/account/sessions'));

export const useEndOwnSession = () =>
  useChange([SESSIONS_KEY], (id: string) =>
    api.DELETE('/admin/api/account/sessions/{id}', { params: { path: { id } } }),
  );

export function useLogOutEverywhere() {
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/account/sessions'),
    // The next user must not see cached data.
    onSuccess: () => window.location.reload(),
  });
}

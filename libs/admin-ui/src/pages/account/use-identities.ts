import { useMutation } from '@tanstack/react-query';
import { api, bodyOf, type Schemas, useChange, useList } from '../../api/client';

export type AccountIdentity = Schemas['AccountIdentityView'];

const OWN_KEY = ['account', 'identities'];
const keyOf = (account: string) => ['administrators', account, 'identities'];

export const useOwnIdentities = () => useList(OWN_KEY, () => api.GET('/admin/api/account/identities'));

/** Leaves the page for the provider. */
export function useConnect() {
  return useMutation({
    mutationFn: (provider: string) =>
      bodyOf(api.POST('/admin/api/account/identities/{provider}', { params: { path: { provider } } })),
    onSuccess: ({ to }) => window.location.assign(to),
  });
}

export const useRemoveOwnIdentity = () =>
  useChange([OWN_KEY], (id: string) => api.DELETE('/admin/api/account/identities/{id}', { params: { path: { id } } }));

export const useIdentities = (name: string) =>
  useList(keyOf(name), () => api.GET('/admin/api/administrators/{name}/identities', { params: { path: { name } } }));

export const useRemoveIdentity = (name: string) =>
  useChange([keyOf(name)], (id: string) =>
    api.DELETE('/admin/api/administrators/{name}/identities/{id}', { params: { path: { name, id } } }),
  );

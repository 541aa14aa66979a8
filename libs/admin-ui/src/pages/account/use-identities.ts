import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

export type AccountIdentity = Schemas['AccountIdentityView'];

const OWN_KEY = ['account', 'identities'];
const keyOf = (account: string) => ['administrators', account, 'identities'];

export function useOwnIdentities() {
  return useQuery({
    queryKey: OWN_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/account/identities'))).items,
  });
}

/** Leaves the page for the provider. */
export function useConnect() {
  return useMutation({
    mutationFn: (provider: string) =>
      bodyOf(api.POST('/admin/api/account/identities/{provider}', { params: { path: { provider } } })),
    onSuccess: ({ to }) => window.location.assign(to),
  });
}

export function useRemoveOwnIdentity() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/admin/api/account/identities/{id}', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: OWN_KEY }),
  });
}

export function useIdentities(name: string) {
  return useQuery({
    queryKey: keyOf(name),
    queryFn: async () =>
      (await bodyOf(api.GET('/admin/api/administrators/{name}/identities', { params: { path: { name } } }))).items,
  });
}

export function useRemoveIdentity(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      api.DELETE('/admin/api/administrators/{name}/identities/{id}', { params: { path: { name, id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(name) }),
  });
}

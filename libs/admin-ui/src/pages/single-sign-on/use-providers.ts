import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

export type Provider = Schemas['LoginProviderView'];
export type GroupRule = Schemas['GroupRuleBody'];

const KEY = ['login-providers'];

export function useProviders() {
  return useQuery({
    queryKey: KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/login-providers'))).items,
  });
}

/** Changes the provider of that name, or adds one. */
export function useSaveProvider(name: string | undefined) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Schemas['NewLoginProviderBody'] | Schemas['LoginProviderBody']) =>
      'name' in body
        ? bodyOf(api.POST('/admin/api/login-providers', { body }))
        : bodyOf(api.PUT('/admin/api/login-providers/{name}', { params: { path: { name: name ?? '' } }, body })),
    onSettled: refresh,
  });
}

export function useDeleteProvider(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/login-providers/{name}', { params: { path: { name } } }),
    onSettled: refresh,
  });
}

export function useTestProvider(name: string) {
  return useMutation({
    mutationFn: () => bodyOf(api.POST('/admin/api/login-providers/{name}/test', { params: { path: { name } } })),
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: KEY });
}

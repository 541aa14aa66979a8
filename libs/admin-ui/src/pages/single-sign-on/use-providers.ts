import { useMutation } from '@tanstack/react-query';
import { api, bodyOf, type Schemas, useChange, useList } from '../../api/client';
import { LOGIN_CHOICES_KEY } from '../login/use-login-choices';

export type Provider = Schemas['LoginProviderView'];
export type GroupRule = Schemas['GroupRuleBody'];

const KEY = ['login-providers'];
const CHANGED = [KEY, LOGIN_CHOICES_KEY];

export const useProviders = () => useList(KEY, () => api.GET('/admin/api/login-providers'));

/** Changes the provider of that name, or adds one. */
export const useSaveProvider = (name: string | undefined) =>
  useChange(CHANGED, (body: Schemas['NewLoginProviderBody'] | Schemas['LoginProviderBody']) =>
    'name' in body
      ? api.POST('/admin/api/login-providers', { body })
      : api.PUT('/admin/api/login-providers/{name}', { params: { path: { name: name ?? '' } }, body }),
  );

export const useDeleteProvider = (name: string) =>
  useChange(CHANGED, () => api.DELETE('/admin/api/login-providers/{name}', { params: { path: { name } } }));

export function useTestProvider(name: string) {
  return useMutation({
    mutationFn: () => bodyOf(api.POST('/admin/api/login-providers/{name}/test', { params: { path: { name } } })),
  });
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isOutdated } from '../../api/api-error';
import { api, basedOn, bodyOf, type Schemas } from '../../api/client';

export type Setting = Schemas['Setting'];
export type SettingValue = Schemas['SettingBody']['value'];

const SETTINGS_KEY = ['settings'];

export function useSettings() {
  return useQuery({
    queryKey: SETTINGS_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/config'))).items,
  });
}

/** @param version only this version is replaced; by default any */
export function useSaveSetting(key: string, version?: string) {
  return useSettingChange((value: SettingValue) =>
    bodyOf(api.PUT('/admin/api/config/{key}', { params: paramsOf(key, version), body: { value } })),
  );
}

/** @param version as for `useSaveSetting` */
export function useResetSetting(key: string, version?: string) {
  return useSettingChange(() => bodyOf(api.DELETE('/admin/api/config/{key}', { params: paramsOf(key, version) })));
}

const paramsOf = (key: string, version: string | undefined) => ({
  path: { key },
  ...(version !== undefined && { header: basedOn(version) }),
});

export function useGenerateSecret(key: string) {
  return useSettingChange(() => bodyOf(api.POST('/admin/api/config/{key}/generate', { params: { path: { key } } })));
}

function useSettingChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: SETTINGS_KEY }),
    onError: (error) => (isOutdated(error) ? queries.invalidateQueries({ queryKey: SETTINGS_KEY }) : undefined),
  });
}

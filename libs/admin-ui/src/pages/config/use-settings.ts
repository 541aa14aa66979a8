import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';

export type Setting = Schemas['Setting'];
export type SettingValue = Schemas['SettingBody']['value'];

const SETTINGS_KEY = ['settings'];

export function useSettings() {
  return useQuery({
    queryKey: SETTINGS_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/config'))).items,
  });
}

export function useSaveSetting(key: string) {
  return useSettingChange((value: SettingValue) =>
    bodyOf(api.PUT('/admin/api/config/{key}', { params: { path: { key } }, body: { value } })),
  );
}

export function useResetSetting(key: string) {
  return useSettingChange(() => bodyOf(api.DELETE('/admin/api/config/{key}', { params: { path: { key } } })));
}

export function useGenerateSecret(key: string) {
  return useSettingChange(() => bodyOf(api.POST('/admin/api/config/{key}/generate', { params: { path: { key } } })));
}

function useSettingChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: SETTINGS_KEY }),
  });
}

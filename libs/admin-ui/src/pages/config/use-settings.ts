import { api, basedOn, type Schemas, useChange, useList } from '../../api/client';

export type Setting = Schemas['Setting'];
export type SettingValue = Schemas['SettingBody']['value'];

const SETTINGS_KEY = ['settings'];

export const useSettings = () => useList(SETTINGS_KEY, () => api.GET('/admin/api/config'));

/** @param version only this version is replaced; by default any */
export const useSaveSetting = (key: string, version?: string) =>
  useChange([SETTINGS_KEY], (value: SettingValue) =>
    api.PUT('/admin/api/config/{key}', { params: paramsOf(key, version), body: { value } }),
  );

/** @param version as for `useSaveSetting` */
export const useResetSetting = (key: string, version?: string) =>
  useChange([SETTINGS_KEY], () => api.DELETE('/admin/api/config/{key}', { params: paramsOf(key, version) }));

const paramsOf = (key: string, version: string | undefined) => ({
  path: { key },
  ...(version !== undefined && { header: basedOn(version) }),
});

export const useGenerateSecret = (key: string) =>
  useChange([SETTINGS_KEY], () => api.POST('/admin/api/config/{key}/generate', { params: { path: { key } } }));

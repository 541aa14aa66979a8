import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAfterDeletion } from '../../api/after-deletion';
import { api, basedOn, bodyOf, type Schemas } from '../../api/client';
import { base64Of } from '../../files/base64';
import type { Json } from '../../mcp/json-rpc';

export type ModuleItem = Schemas['ModuleView'];
export type FullModule = Schemas['FullModuleView'];
export type SampleModule = Schemas['SampleModuleView'];
export type ModuleSettings = Schemas['ModuleSettingsView'];

const MODULES_KEY = 'skill-modules';
const SETTINGS_KEY = 'settings of skill modules';
/** Files change without any action in the browser. */
const POLL_EVERY_MS = 5_000;

export function useModules() {
  return useQuery({
    queryKey: [MODULES_KEY, 'list'],
    queryFn: () => bodyOf(api.GET('/admin/api/skill-modules')),
    refetchInterval: POLL_EVERY_MS,
  });
}

export function useModule(name: string) {
  return useQuery({
    queryKey: [MODULES_KEY, 'one', name],
    queryFn: () => bodyOf(api.GET('/admin/api/skill-modules/{name}', { params: { path: { name } } })),
    refetchInterval: POLL_EVERY_MS,
  });
}

export function useModuleCode(name: string, version: number) {
  return useQuery({
    queryKey: [MODULES_KEY, 'code', name, version],
    queryFn: () =>
      bodyOf(
        api.GET('/admin/api/skill-modules/{name}/versions/{version}/code', { params: { path: { name, version } } }),
      ),
  });
}

export function useModuleSettings(name: string) {
  return useQuery({
    queryKey: [SETTINGS_KEY, name],
    queryFn: () => bodyOf(api.GET('/admin/api/skill-modules/{name}/settings', { params: { path: { name } } })),
    refetchInterval: POLL_EVERY_MS,
  });
}

/** @param version the version to replace */
export function useGiveModuleSettings(name: string, version: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: Json) =>
      bodyOf(
        api.PUT('/admin/api/skill-modules/{name}/settings', {
          params: { path: { name }, header: basedOn(version) },
          body: { values },
        }),
      ),
    onSuccess: (saved) => queries.setQueryData([SETTINGS_KEY, name], saved),
    onError: () => queries.invalidateQueries({ queryKey: [SETTINGS_KEY, name] }),
  });
}

/** @param isWanted true to load them: the service has to load each module for this */
export function useSampleModules(isWanted: boolean) {
  return useQuery({
    queryKey: [MODULES_KEY, 'samples'],
    queryFn: () => bodyOf(api.GET('/admin/api/skill-module-samples')),
    enabled: isWanted,
  });
}

export function useAddSampleModule() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (name: string) =>
      bodyOf(api.POST('/admin/api/skill-module-samples/{name}', { params: { path: { name } } })),
    onSettled: refresh,
  });
}

export function useUploadModule() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (file: File) =>
      bodyOf(api.POST('/admin/api/skill-modules', { body: { file: file.name, ...(await contentOf(file)) } })),
    onSettled: refresh,
  });
}

const contentOf = async (file: File) =>
  /\.zip$/i.test(file.name)
    ? { base64: base64Of(new Uint8Array(await file.arrayBuffer())) }
    : { code: await file.text() };

export function useSetModuleEnabled(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (enabled: boolean) =>
      bodyOf(api.PUT('/admin/api/skill-modules/{name}/enabled', { params: { path: { name } }, body: { enabled } })),
    onSettled: refresh,
  });
}

export function useApproveModule(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { version: number; digest: string }) =>
      bodyOf(api.PUT('/admin/api/skill-modules/{name}/approved', { params: { path: { name } }, body })),
    onSettled: refresh,
  });
}

export function useRemoveModule(name: string) {
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/skill-modules/{name}', { params: { path: { name } } }),
    ...useAfterDeletion([MODULES_KEY], [SETTINGS_KEY]),
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => {
    // Not awaited: the module may no longer be shown when they arrive.
    void queries.invalidateQueries({ queryKey: [SETTINGS_KEY] });
    return queries.invalidateQueries({ queryKey: [MODULES_KEY] });
  };
}

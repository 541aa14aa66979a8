import { api, basedOn, type Schemas, useChange, useDeletion, useRead } from '../../api/client';
import { base64Of } from '../../files/base64';
import type { Json } from '../../mcp/json-rpc';
import { SKILLS_KEY } from '../skills/use-skills';

export type ModuleItem = Schemas['ModuleView'];
export type FullModule = Schemas['FullModuleView'];
export type SampleModule = Schemas['SampleModuleView'];
export type ModuleSettings = Schemas['ModuleSettingsView'];

const MODULES_KEY = ['skill-modules'];
const SETTINGS_KEY = ['settings of skill modules'];
/** The queries that may show something else after a change of a module. */
const CHANGED = [MODULES_KEY, SETTINGS_KEY, SKILLS_KEY];
/** Files change without any action in the browser. */
const POLL_EVERY_MS = 5_000;

export const useModules = () =>
  useRead([...MODULES_KEY, 'list'], () => api.GET('/admin/api/skill-modules'), { refetchInterval: POLL_EVERY_MS });

export const useModule = (name: string) =>
  useRead(
    [...MODULES_KEY, 'one', name],
    () => api.GET('/admin/api/skill-modules/{name}', { params: { path: { name } } }),
    { refetchInterval: POLL_EVERY_MS },
  );

export const useModuleCode = (name: string, version: number) =>
  useRead([...MODULES_KEY, 'code', name, version], () =>
    api.GET('/admin/api/skill-modules/{name}/versions/{version}/code', { params: { path: { name, version } } }),
  );

export const useModuleSettings = (name: string) =>
  useRead(
    [...SETTINGS_KEY, name],
    () => api.GET('/admin/api/skill-modules/{name}/settings', { params: { path: { name } } }),
    { refetchInterval: POLL_EVERY_MS },
  );

/** @param version the version to replace */
export const useGiveModuleSettings = (name: string, version: number) =>
  useChange([[...SETTINGS_KEY, name]], (values: Json) => {
    const params = { path: { name }, header: basedOn(version) };
    return api.PUT('/admin/api/skill-modules/{name}/settings', { params, body: { values } });
  });

/** @param isWanted true to load them: the service has to load each module for this */
export const useSampleModules = (isWanted: boolean) =>
  useRead([...MODULES_KEY, 'samples'], () => api.GET('/admin/api/skill-module-samples'), { enabled: isWanted });

export const useAddSampleModule = () =>
  useChange(CHANGED, (name: string) =>
    api.POST('/admin/api/skill-module-samples/{name}', { params: { path: { name } } }),
  );

export const useUploadModule = () =>
  useChange(CHANGED, async (file: File) =>
    api.POST('/admin/api/skill-modules', { body: { file: file.name, ...(await contentOf(file)) } }),
  );

const contentOf = async (file: File) =>
  /\.zip$/i.test(file.name)
    ? { base64: base64Of(new Uint8Array(await file.arrayBuffer())) }
    : { code: await file.text() };

export const useSetModuleEnabled = (name: string) =>
  useChange(CHANGED, (enabled: boolean) =>
    api.PUT('/admin/api/skill-modules/{name}/enabled', { params: { path: { name } }, body: { enabled } }),
  );

export const useApproveModule = (name: string) =>
  useChange(CHANGED, (body: { version: number; digest: string }) =>
    api.PUT('/admin/api/skill-modules/{name}/approved', { params: { path: { name } }, body }),
  );

export const useRemoveModule = (name: string) =>
  useDeletion(CHANGED, () => api.DELETE('/admin/api/skill-modules/{name}', { params: { path: { name } } }));

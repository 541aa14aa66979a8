import { api, type Schemas, useChange, useDeletion, useRead } from '../../api/client';
import { base64Of } from '../../files/base64';
import { SKILLS_KEY } from '../skills/use-skills';

export type PackageItem = Schemas['PackageView'];
export type RemovedPackage = Schemas['RemovedPackageView'];
export type FullPackage = Schemas['FullPackageView'];
export type PackageVersion = Schemas['PackageVersionView'];

export const PACKAGES_KEY = ['skill-packages'];
/** The queries that may show something else after a change of a package. */
export const CHANGED = [PACKAGES_KEY, SKILLS_KEY];
/** Folders change without any action in the browser. */
const POLL_EVERY_MS = 5_000;

export const usePackages = () =>
  useRead([...PACKAGES_KEY, 'list'], () => api.GET('/admin/api/skill-packages'), { refetchInterval: POLL_EVERY_MS });

export const usePackage = (name: string) =>
  useRead([...PACKAGES_KEY, 'one', name], () =>
    api.GET('/admin/api/skill-packages/{name}', { params: { path: { name } } }),
  );

/** @param path null = of none yet */
export const usePackageFile = (name: string, version: number, path: string | null) =>
  useRead(
    [...PACKAGES_KEY, 'file', name, version, path],
    () =>
      api.GET('/admin/api/skill-packages/{name}/versions/{version}/file', {
        params: { path: { name, version }, query: { path: path ?? '' } },
      }),
    { enabled: path !== null },
  );

export const usePackageComparison = (name: string, before: number, version: number) =>
  useRead([...PACKAGES_KEY, 'comparison', name, before, version], () =>
    api.GET('/admin/api/skill-packages/{name}/versions/{version}/since/{before}', {
      params: { path: { name, version, before } },
    }),
  );

export const useUploadPackage = () =>
  useChange(CHANGED, async (file: File) =>
    api.POST('/admin/api/skill-packages', {
      body: { file: file.name, base64: base64Of(new Uint8Array(await file.arrayBuffer())) },
    }),
  );

export const useSetPackageEnabled = (name: string) =>
  useChange(CHANGED, (enabled: boolean) =>
    api.PUT('/admin/api/skill-packages/{name}/enabled', { params: { path: { name } }, body: { enabled } }),
  );

export const useSetPackageVersion = (name: string) =>
  useChange(CHANGED, (version: number) =>
    api.PUT('/admin/api/skill-packages/{name}/current', { params: { path: { name } }, body: { version } }),
  );

export const useRemovePackage = (name: string) =>
  useDeletion(CHANGED, () => api.DELETE('/admin/api/skill-packages/{name}', { params: { path: { name } } }));

export const useRestorePackage = (name: string) =>
  useChange(CHANGED, () => api.POST('/admin/api/skill-packages/{name}/restore', { params: { path: { name } } }));

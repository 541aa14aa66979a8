import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAfterDeletion } from '../../api/after-deletion';
import { api, bodyOf, type Schemas } from '../../api/client';
import { base64Of } from '../../files/base64';

export type PackageItem = Schemas['PackageView'];
export type RemovedPackage = Schemas['RemovedPackageView'];
export type FullPackage = Schemas['FullPackageView'];
export type PackageVersion = Schemas['PackageVersionView'];

export const PACKAGES_KEY = 'skill-packages';
/** Folders change without any action in the browser. */
const POLL_EVERY_MS = 5_000;

export function usePackages() {
  return useQuery({
    queryKey: [PACKAGES_KEY, 'list'],
    queryFn: () => bodyOf(api.GET('/admin/api/skill-packages')),
    refetchInterval: POLL_EVERY_MS,
  });
}

export function usePackage(name: string) {
  return useQuery({
    queryKey: [PACKAGES_KEY, 'one', name],
    queryFn: () => bodyOf(api.GET('/admin/api/skill-packages/{name}', { params: { path: { name } } })),
  });
}

/** @param path null = of none yet */
export function usePackageFile(name: string, version: number, path: string | null) {
  return useQuery({
    queryKey: [PACKAGES_KEY, 'file', name, version, path],
    queryFn: () =>
      bodyOf(
        api.GET('/admin/api/skill-packages/{name}/versions/{version}/file', {
          params: { path: { name, version }, query: { path: path ?? '' } },
        }),
      ),
    enabled: path !== null,
  });
}

export function usePackageComparison(name: string, before: number, version: number) {
  return useQuery({
    queryKey: [PACKAGES_KEY, 'comparison', name, before, version],
    queryFn: () =>
      bodyOf(
        api.GET('/admin/api/skill-packages/{name}/versions/{version}/since/{before}', {
          params: { path: { name, version, before } },
        }),
      ),
  });
}

export function useUploadPackage() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (file: File) =>
      bodyOf(
        api.POST('/admin/api/skill-packages', {
          body: { file: file.name, base64: base64Of(new Uint8Array(await file.arrayBuffer())) },
        }),
      ),
    onSettled: refresh,
  });
}

export function useSetPackageEnabled(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (enabled: boolean) =>
      bodyOf(api.PUT('/admin/api/skill-packages/{name}/enabled', { params: { path: { name } }, body: { enabled } })),
    onSettled: refresh,
  });
}

export function useSetPackageVersion(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (version: number) =>
      bodyOf(api.PUT('/admin/api/skill-packages/{name}/current', { params: { path: { name } }, body: { version } })),
    onSettled: refresh,
  });
}

export function useRemovePackage(name: string) {
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/skill-packages/{name}', { params: { path: { name } } }),
    ...useAfterDeletion([PACKAGES_KEY]),
  });
}

export function useRestorePackage(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => bodyOf(api.POST('/admin/api/skill-packages/{name}/restore', { params: { path: { name } } })),
    onSettled: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [PACKAGES_KEY] });
}

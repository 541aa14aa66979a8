import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, basedOn, bodyOf, type Schemas, useChange } from '../../../api/client';
import { CHANGED, PACKAGES_KEY } from '../use-packages';
import { type PackageDraft, SKILL_FILE, toWritten } from './package-draft';

export type DraftReport = Schemas['DraftReportView'];

/** Loads a package and the text of its SKILL.md, both of one version. */
export function useEditedPackage(name: string) {
  return useQuery({
    queryKey: [...PACKAGES_KEY, 'edited', name],
    queryFn: async () => {
      const one = await bodyOf(api.GET('/admin/api/skill-packages/{name}', { params: { path: { name } } }));
      const path = { name, version: one.version };
      const params = { path, query: { path: SKILL_FILE } };
      const file = await bodyOf(api.GET('/admin/api/skill-packages/{name}/versions/{version}/file', { params }));
      return { one, skillFile: file.text ?? '' };
    },
  });
}

/** Checks a draft, with a preview of what programs would get. @param name null = a new package */
export function useDraftReport(name: string | null, { skillFile, files }: PackageDraft) {
  const body = { name, skillFile, files: files.map(({ path, size }) => ({ path, size })) };
  return useQuery({
    queryKey: [...PACKAGES_KEY, 'check', body],
    queryFn: () => bodyOf(api.POST('/admin/api/skill-packages/check', { body })),
    placeholderData: keepPreviousData,
    // Other packages come and go, so a result may become outdated.
    staleTime: 10_000,
    gcTime: 60_000,
  });
}

interface Saved {
  name: string;
  draft: PackageDraft;
  /** The edited version; null = the package must not exist. */
  version: number | null;
}

export const useSavePackage = () =>
  useChange(CHANGED, ({ name, draft, version }: Saved) =>
    api.PUT('/admin/api/skill-packages/{name}', {
      params: { path: { name }, header: version === null ? { 'If-None-Match': '*' } : basedOn(version) },
      body: toWritten(draft),
    }),
  );

import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { api, basedOn, bodyOf, type Schemas, useChange, useDeletion, useList, useRead } from '../../api/client';

export type Policy = Schemas['PolicyView'];
export type PolicyDraft = Schemas['PolicyDraft'];
export type PolicyTest = Schemas['PolicyTestBody'];
export type PolicyDecision = Schemas['PolicyDecisionView'];
export type DryRun = Schemas['DryRunView'];

const POLICIES_KEY = ['policies'];
/** The tools of clients depend on the policies. */
const CHANGED = [POLICIES_KEY, ['client-tools']];

export const usePolicies = () => useList([...POLICIES_KEY, 'list'], () => api.GET('/admin/api/policies'));

export const usePolicy = (name: string) =>
  useRead([...POLICIES_KEY, 'one', name], () => api.GET('/admin/api/policies/{name}', { params: { path: { name } } }));

export const usePolicyTemplates = () =>
  useList([...POLICIES_KEY, 'templates'], () => api.GET('/admin/api/policies/templates'), { staleTime: Infinity });

/** Checks a text. The last result stays until the next one. */
export const usePolicyCheck = (policy: string) =>
  useRead([...POLICIES_KEY, 'check', policy], () => api.POST('/admin/api/policies/check', { body: { policy } }), {
    enabled: policy !== '',
    placeholderData: keepPreviousData,
    // Tools and groups come and go, so a result may become outdated.
    staleTime: 10_000,
    gcTime: 60_000,
  });

export const useCreatePolicy = () =>
  useChange(CHANGED, (body: Schemas['NewPolicyBody']) => api.POST('/admin/api/policies', { body }));

/** Saves a text, replacing only the version that was read. */
export const useSavePolicy = ({ name, version }: Pick<Policy, 'name' | 'version'>) =>
  useChange(CHANGED, (policy: string) => {
    const params = { path: { name }, header: basedOn(version) };
    return api.PUT('/admin/api/policies/{name}', { params, body: { policy } });
  });

export const useEnablePolicy = (name: string) =>
  useChange(CHANGED, (body: { enabled: boolean }) =>
    api.PUT('/admin/api/policies/{name}', { params: { path: { name } }, body }),
  );

/** Deletes a policy only in the version that was read. */
export const useDeletePolicy = ({ name, version }: Pick<Policy, 'name' | 'version'>) =>
  useDeletion(CHANGED, () =>
    api.DELETE('/admin/api/policies/{name}', { params: { path: { name }, header: basedOn(version) } }),
  );

export function useTestPolicies() {
  return useMutation({ mutationFn: (body: PolicyTest) => bodyOf(api.POST('/admin/api/policies/test', { body })) });
}

export function useDryRun() {
  return useMutation({
    mutationFn: (draft: PolicyDraft) => bodyOf(api.POST('/admin/api/policies/dry-run', { body: { draft } })),
  });
}

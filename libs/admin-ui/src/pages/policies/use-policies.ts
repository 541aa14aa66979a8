import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAfterDeletion } from '../../api/after-deletion';
import { api, basedOn, bodyOf, type Schemas } from '../../api/client';

export type Policy = Schemas['PolicyView'];
export type PolicyDraft = Schemas['PolicyDraft'];
export type PolicyTest = Schemas['PolicyTestBody'];
export type PolicyDecision = Schemas['PolicyDecisionView'];
export type DryRun = Schemas['DryRunView'];

const POLICIES_KEY = 'policies';

export function usePolicies() {
  return useQuery({
    queryKey: [POLICIES_KEY, 'list'],
    queryFn: async () => (await bodyOf(api.GET('/admin/api/policies'))).items,
  });
}

export function usePolicy(name: string) {
  return useQuery({
    queryKey: [POLICIES_KEY, 'one', name],
    queryFn: () => bodyOf(api.GET('/admin/api/policies/{name}', { params: { path: { name } } })),
  });
}

export function usePolicyTemplates() {
  return useQuery({
    queryKey: [POLICIES_KEY, 'templates'],
    queryFn: async () => (await bodyOf(api.GET('/admin/api/policies/templates'))).items,
    staleTime: Infinity,
  });
}

/** Checks a text. The last result stays until the next one. */
export function usePolicyCheck(policy: string) {
  return useQuery({
    queryKey: [POLICIES_KEY, 'check', policy],
    queryFn: () => bodyOf(api.POST('/admin/api/policies/check', { body: { policy } })),
    enabled: policy !== '',
    placeholderData: keepPreviousData,
    // Tools and groups come and go, so a result may become outdated.
    staleTime: 10_000,
    gcTime: 60_000,
  });
}

export function useCreatePolicy() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Schemas['NewPolicyBody']) => bodyOf(api.POST('/admin/api/policies', { body })),
    onSuccess: refresh,
  });
}

/** Saves a text, replacing only the version that was read. */
export function useSavePolicy({ name, version }: Pick<Policy, 'name' | 'version'>) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (policy: string) => {
      const params = { path: { name }, header: basedOn(version) };
      return bodyOf(api.PUT('/admin/api/policies/{name}', { params, body: { policy } }));
    },
    onSettled: refresh,
  });
}

export function useEnablePolicy(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { enabled: boolean }) =>
      bodyOf(api.PUT('/admin/api/policies/{name}', { params: { path: { name } }, body })),
    onSettled: refresh,
  });
}

/** Deletes a policy only in the version that was read. */
export function useDeletePolicy({ name, version }: Pick<Policy, 'name' | 'version'>) {
  return useMutation({
    mutationFn: () =>
      api.DELETE('/admin/api/policies/{name}', { params: { path: { name }, header: basedOn(version) } }),
    ...useAfterDeletion([POLICIES_KEY], ['client-tools']),
  });
}

export function useTestPolicies() {
  return useMutation({ mutationFn: (body: PolicyTest) => bodyOf(api.POST('/admin/api/policies/test', { body })) });
}

export function useDryRun() {
  return useMutation({
    mutationFn: (draft: PolicyDraft) => bodyOf(api.POST('/admin/api/policies/dry-run', { body: { draft } })),
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: [POLICIES_KEY] });
    // The tools of clients depend on the policies.
    await queries.invalidateQueries({ queryKey: ['client-tools'] });
  };
}

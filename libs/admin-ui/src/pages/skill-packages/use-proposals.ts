import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { PACKAGES_KEY } from './use-packages';

export type PackageProposal = Schemas['PackageProposalView'];

const POLL_EVERY_MS = 5_000;

export function usePackageProposals() {
  return useQuery({
    queryKey: [PACKAGES_KEY, 'proposals'],
    queryFn: () => bodyOf(api.GET('/admin/api/skill-package-proposals')),
    refetchInterval: POLL_EVERY_MS,
  });
}

export function usePackageProposal(id: number) {
  return useQuery({
    queryKey: [PACKAGES_KEY, 'proposal', id],
    queryFn: () => bodyOf(api.GET('/admin/api/skill-package-proposals/{id}', { params: { path: { id } } })),
  });
}

export function useAcceptProposal(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (digest: string) =>
      bodyOf(
        api.POST('/admin/api/skill-package-proposals/{id}/accept', { params: { path: { id } }, body: { digest } }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: [PACKAGES_KEY] }),
  });
}

export function useRefuseProposal(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/skill-package-proposals/{id}', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [PACKAGES_KEY] }),
  });
}

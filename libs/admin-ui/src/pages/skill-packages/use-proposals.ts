import { api, type Schemas, useChange, useRead } from '../../api/client';
import { PACKAGES_KEY } from './use-packages';

export type PackageProposal = Schemas['PackageProposalView'];

const POLL_EVERY_MS = 5_000;

export const usePackageProposals = () =>
  useRead([...PACKAGES_KEY, 'proposals'], () => api.GET('/admin/api/skill-package-proposals'), {
    refetchInterval: POLL_EVERY_MS,
  });

export const usePackageProposal = (id: number) =>
  useRead([...PACKAGES_KEY, 'proposal', id], () =>
    api.GET('/admin/api/skill-package-proposals/{id}', { params: { path: { id } } }),
  );

export const useAcceptProposal = (id: number) =>
  useChange([PACKAGES_KEY], (digest: string) =>
    api.POST('/admin/api/skill-package-proposals/{id}/accept', { params: { path: { id } }, body: { digest } }),
  );

export const useRefuseProposal = (id: number) =>
  useChange([PACKAGES_KEY], () => api.DELETE('/admin/api/skill-package-proposals/{id}', { params: { path: { id } } }));

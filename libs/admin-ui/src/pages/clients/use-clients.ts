import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAfterDeletion } from '../../api/after-deletion';
import { api, bodyOf, type Schemas } from '../../api/client';
import { showError } from '../../components/notices';
import { useShowClientKey } from './use-show-client-key';

export type Client = Schemas['ClientView'];
export type ClientKey = Schemas['ClientKeyView'];
export type ClientTool = Schemas['ClientToolView'];
export type ClientBody = Schemas['ClientBody'];

const CLIENTS_KEY = ['clients'];
const CREATE_KEY = [...CLIENTS_KEY, 'create'];
const GROUPS_KEY = ['client-groups'];
const TOOLS_KEY = ['client-tools'];
const REFRESH_MS = 15_000;

export function useClients() {
  return useQuery({
    queryKey: CLIENTS_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/clients'))).items,
    // Clients may call at any time.
    refetchInterval: REFRESH_MS,
  });
}

export function useClient(name: string) {
  return useQuery({
    queryKey: [...CLIENTS_KEY, name],
    queryFn: () => bodyOf(api.GET('/admin/api/clients/{name}', { params: { path: { name } } })),
    refetchInterval: REFRESH_MS,
  });
}

/** Loads what the policies let a client do with each tool. */
export function useClientTools(name: string) {
  return useQuery({
    queryKey: [...TOOLS_KEY, name],
    queryFn: async () =>
      (await bodyOf(api.GET('/admin/api/clients/{name}/tools', { params: { path: { name } } }))).items,
  });
}

/** Loads the names of the existing groups, for suggestions. */
export function useGroups() {
  return useQuery({
    queryKey: GROUPS_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/client-groups'))).items,
  });
}

/** Creates a client, and shows its key, even if the page has been left in the meantime. */
export function useCreateClient() {
  const refresh = useRefresh();
  const showClientKey = useShowClientKey();
  return useMutation({
    mutationKey: CREATE_KEY,
    mutationFn: (body: Schemas['NewClientBody']) => bodyOf(api.POST('/admin/api/clients', { body })),
    onSuccess: ({ name, key }) => showClientKey(name, key),
    onSettled: refresh,
  });
}

/** Returns whether a client is being created: this can no longer be cancelled. */
export const useIsCreatingClient = (): boolean => useIsMutating({ mutationKey: CREATE_KEY }) > 0;

export function useUpdateClient(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: ClientBody) =>
      bodyOf(api.PUT('/admin/api/clients/{name}', { params: { path: { name } }, body })),
    onSettled: refresh,
  });
}

export function useDeleteClient(name: string) {
  return useMutation({
    mutationFn: () => api.DELETE('/admin/api/clients/{name}', { params: { path: { name } } }),
    ...useAfterDeletion(CLIENTS_KEY, GROUPS_KEY, TOOLS_KEY, ['sessions']),
  });
}

/** Creates a key, and shows it, even if the page has been left in the meantime. */
export function useRotateKey(name: string) {
  const refresh = useRefresh();
  const showClientKey = useShowClientKey();
  return useMutation({
    mutationFn: (overlapHours: number) =>
      bodyOf(api.POST('/admin/api/clients/{name}/keys', { params: { path: { name } }, body: { overlapHours } })),
    onSuccess: ({ key }) => showClientKey(name, key),
    onError: showError,
    onSettled: refresh,
  });
}

export function useRevokeKey(name: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/admin/api/clients/{name}/keys/{id}', { params: { path: { name, id } } }),
    onSettled: refresh,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: CLIENTS_KEY });
    await queries.invalidateQueries({ queryKey: GROUPS_KEY });
    await queries.invalidateQueries({ queryKey: TOOLS_KEY });
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  };
}

import { useIsMutating } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { api, type Schemas, useChange, useDeletion, useList, useRead } from '../../api/client';
import { showError } from '../../components/notices';
import { showOnce } from '../../components/show-once';
import { offerKey } from '../connect/new-key';

export type Client = Schemas['ClientView'];
export type ClientKey = Schemas['ClientKeyView'];
export type ClientTool = Schemas['ClientToolView'];
export type ClientBody = Schemas['ClientBody'];

const CLIENTS_KEY = ['clients'];
const CREATE_KEY = [...CLIENTS_KEY, 'create'];
const GROUPS_KEY = ['client-groups'];
const TOOLS_KEY = ['client-tools'];
/** The queries that may show something else after a change of a client. */
const CHANGED = [CLIENTS_KEY, GROUPS_KEY, TOOLS_KEY, ['sessions']];
const REFRESH_MS = 15_000;

export const useClients = () =>
  useList(CLIENTS_KEY, () => api.GET('/admin/api/clients'), {
    // Clients may call at any time.
    refetchInterval: REFRESH_MS,
  });

export const useClient = (name: string) =>
  useRead([...CLIENTS_KEY, name], () => api.GET('/admin/api/clients/{name}', { params: { path: { name } } }), {
    refetchInterval: REFRESH_MS,
  });

/** Loads what the policies let a client do with each tool. */
export const useClientTools = (name: string) =>
  useList([...TOOLS_KEY, name], () => api.GET('/admin/api/clients/{name}/tools', { params: { path: { name } } }));

/** Loads the names of the existing groups, for suggestions. */
export const useGroups = () => useList(GROUPS_KEY, () => api.GET('/admin/api/client-groups'));

/** Creates a client, and shows its key, even if the page has been left in the meantime. */
export function useCreateClient() {
  const showClientKey = useShowClientKey();
  return useChange(CHANGED, (body: Schemas['NewClientBody']) => api.POST('/admin/api/clients', { body }), {
    mutationKey: CREATE_KEY,
    onSuccess: ({ name, key }) => showClientKey(name, key),
  });
}

/** Returns whether a client is being created: this can no longer be cancelled. */
export const useIsCreatingClient = (): boolean => useIsMutating({ mutationKey: CREATE_KEY }) > 0;

export const useUpdateClient = (name: string) =>
  useChange(CHANGED, (body: ClientBody) => api.PUT('/admin/api/clients/{name}', { params: { path: { name } }, body }));

export const useDeleteClient = (name: string) =>
  useDeletion(CHANGED, () => api.DELETE('/admin/api/clients/{name}', { params: { path: { name } } }));

/** Creates a key, and shows it, even if the page has been left in the meantime. */
export function useRotateKey(name: string) {
  const showClientKey = useShowClientKey();
  return useChange(
    CHANGED,
    (overlapHours: number) =>
      api.POST('/admin/api/clients/{name}/keys', { params: { path: { name } }, body: { overlapHours } }),
    { onSuccess: ({ key }) => showClientKey(name, key), onError: showError },
  );
}

export const useRevokeKey = (name: string) =>
  useChange(CHANGED, (id: string) =>
    api.DELETE('/admin/api/clients/{name}/keys/{id}', { params: { path: { name, id } } }),
  );

/** Returns a function that shows a new key once, with a link to the page for connecting assistants. */
function useShowClientKey() {
  const navigate = useNavigate();
  return (name: string, secret: string): void =>
    showOnce({
      title: `The key of ${name}`,
      text: 'Copy it now: it cannot be shown again. Give it only to those who use this client.',
      secret,
      next: {
        label: 'Connect an assistant',
        go: () => {
          offerKey(secret);
          void navigate('/connect');
        },
      },
    });
}

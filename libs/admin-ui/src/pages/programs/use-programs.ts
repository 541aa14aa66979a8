import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import { showDone } from '../../components/notices';
import { showOnce } from '../../components/show-once';

export type Grant = Schemas['GrantView'];
export type Program = Schemas['SignInProgramView'];

const GRANTS_KEY = ['grants'];
const PROGRAMS_KEY = ['programs'];

export function useGrants() {
  return useQuery({ queryKey: GRANTS_KEY, queryFn: async () => (await bodyOf(api.GET('/admin/api/grants'))).items });
}

export function useEndGrant() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/admin/api/grants/{id}', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: GRANTS_KEY }),
  });
}

export function useOwnGrants() {
  return useQuery({
    queryKey: [...GRANTS_KEY, 'own'],
    queryFn: async () => (await bodyOf(api.GET('/admin/api/account/grants'))).items,
  });
}

export function useEndOwnGrant() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/admin/api/account/grants/{id}', { params: { path: { id } } }),
    onSettled: () => queries.invalidateQueries({ queryKey: GRANTS_KEY }),
  });
}

export function usePrograms() {
  return useQuery({
    queryKey: PROGRAMS_KEY,
    queryFn: async () => (await bodyOf(api.GET('/admin/api/programs'))).items,
  });
}

/** Adds a program, and shows its secret, even if the page has been left in the meantime. */
export function useEnterProgram() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['NewProgramBody'] | Schemas['ProgramDocumentBody']) =>
      'documentUrl' in body
        ? bodyOf(api.POST('/admin/api/programs/documents', { body }))
        : bodyOf(api.POST('/admin/api/programs', { body })),
    onSuccess: ({ id, secret }, { name }) => {
      if (secret === null) showDone(`${name} is entered. Its client_id is ${id}.`);
      else {
        const text = 'Enter both in the program: the client_id, and the client_secret, which is not shown again.';
        showOnce({ title: `${name} is entered`, text, secret: `client_id: ${id}\nclient_secret: ${secret}` });
      }
      return queries.invalidateQueries({ queryKey: PROGRAMS_KEY });
    },
  });
}

export function useRemoveProgram() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/admin/api/programs/{id}', { params: { path: { id } } }),
    onSettled: () => Promise.all([PROGRAMS_KEY, GRANTS_KEY].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}

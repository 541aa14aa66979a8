import { api, type Schemas, useChange, useList, usePages } from '../../api/client';
import { showDone } from '../../components/notices';
import { showOnce } from '../../components/show-once';

export type Grant = Schemas['GrantView'];
export type Program = Schemas['SignInProgramView'];

const GRANTS_KEY = ['grants'];
const PROGRAMS_KEY = ['programs'];
const PAGE_SIZE = 100;

const pageOf = (search: string, cursor: string | undefined) => ({ q: search || undefined, limit: PAGE_SIZE, cursor });

export const useGrants = (search: string) =>
  usePages(
    [...GRANTS_KEY, 'all', search],
    (cursor) => api.GET('/admin/api/grants', { params: { query: pageOf(search, cursor) } }),
    { keepsPrevious: true },
  );

export const useEndGrant = () =>
  useChange([GRANTS_KEY], (id: string) => api.DELETE('/admin/api/grants/{id}', { params: { path: { id } } }));

export const useOwnGrants = () => useList([...GRANTS_KEY, 'own'], () => api.GET('/admin/api/account/grants'));

export const useEndOwnGrant = () =>
  useChange([GRANTS_KEY], (id: string) => api.DELETE('/admin/api/account/grants/{id}', { params: { path: { id } } }));

export const usePrograms = (search: string) =>
  usePages(
    [...PROGRAMS_KEY, search],
    (cursor) => api.GET('/admin/api/programs', { params: { query: pageOf(search, cursor) } }),
    { keepsPrevious: true },
  );

/** Adds a program, and shows its secret, even if the page has been left in the meantime. */
export const useEnterProgram = () =>
  useChange(
    [PROGRAMS_KEY],
    (body: Schemas['NewProgramBody'] | Schemas['ProgramDocumentBody']) =>
      'documentUrl' in body
        ? api.POST('/admin/api/programs/documents', { body })
        : api.POST('/admin/api/programs', { body }),
    {
      onSuccess: ({ id, secret }, { name }) => {
        if (secret === null) return showDone(`${name} is registered. Its client_id is ${id}.`);
        const text = 'Enter both in the program: the client_id, and the client_secret, which is not shown again.';
        showOnce({ title: `${name} is registered`, text, secret: `client_id: ${id}\nclient_secret: ${secret}` });
      },
    },
  );

export const useRemoveProgram = () =>
  useChange([PROGRAMS_KEY, GRANTS_KEY], (id: string) =>
    api.DELETE('/admin/api/programs/{id}', { params: { path: { id } } }),
  );

import { api, type Schemas, useChange, usePages } from '../../api/client';

export type Session = Schemas['SessionView'];

const SESSIONS_KEY = ['sessions'];
const PAGE_SIZE = 50;
const REFRESH_MS = 10_000;

/** @param client the owner of the sessions; undefined = all clients */
export const useSessions = (client?: string) =>
  usePages(
    client === undefined ? SESSIONS_KEY : [...SESSIONS_KEY, client],
    (cursor) => api.GET('/admin/api/sessions', { params: { query: { limit: PAGE_SIZE, cursor, client } } }),
    { refetchInterval: REFRESH_MS },
  );

export const useEndSession = () =>
  useChange([SESSIONS_KEY], (id: string) => api.DELETE('/admin/api/sessions/{id}', { params: { path: { id } } }));

import { api, bodyOf } from '../../../api/client';

const MOST_NAMES = 50;

/** Finds names of entities that a policy may name. Returns none if they cannot be loaded. */
export async function findNames(type: string, typed: string): Promise<readonly string[]> {
  try {
    return await namesOf(type, typed);
  } catch {
    return [];
  }
}

async function namesOf(type: string, typed: string): Promise<readonly string[]> {
  switch (type) {
    case 'Tool': {
      const query = { q: typed || undefined, limit: MOST_NAMES };
      const { items } = await bodyOf(api.GET('/admin/api/skills', { params: { query } }));
      return items.flatMap(({ name, inputSchema }) => (inputSchema ? [name] : []));
    }
    case 'Client':
      return (await bodyOf(api.GET('/admin/api/clients'))).items.map(({ name }) => name);
    case 'Group':
      return (await bodyOf(api.GET('/admin/api/client-groups'))).items;
    default:
      return [];
  }
}

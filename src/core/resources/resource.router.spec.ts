import { recordedEvents } from '../../platform/events/testing.js';
import { InvalidCursor, type PageRequest, pageOfSorted } from '../../platform/paging/page-cursor.js';
import { policyService } from '../../access/policy/testing.js';
import type { ResourceStore } from './resource-store.js';
import { ResourceRouter } from './resource.router.js';

const CLIENT = { name: 'ide', groups: [] };

function storeOf(scheme: string, names: string[], position = 0): ResourceStore {
  return {
    scheme,
    position,
    listPage: async (page) => {
      const found = pageOfSorted(names, page, (name) => name);
      return { ...found, items: found.items.map((name) => ({ uri: `${scheme}://${name}`, name })) };
    },
    templates: () => [],
    canonical: (uri) => uri,
    read: async () => null,
    complete: async () => [],
    watch: () => () => {},
  };
}

async function routerOf(stores: Record<string, string[]>) {
  const router = new ResourceRouter(await policyService(), recordedEvents().events);
  for (const [scheme, names] of Object.entries(stores)) router.register(storeOf(scheme, names));
  return router;
}

async function pagesOf(router: ResourceRouter, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let request: PageRequest = { limit };
  for (;;) {
    const { items, nextCursor } = await router.listPage(CLIENT, request);
    pages.push(items.map(({ name }) => name));
    if (nextCursor === null) return pages;
    request = { limit, cursor: nextCursor };
  }
}

describe('the list of all resources', () => {
  it.each([
    [10, [['1', '2', '3', '4', '5']]],
    [4, [['1', '2', '3', '4'], ['5']]],
    [
      3,
      [
        ['1', '2', '3'],
        ['4', '5'],
      ],
    ],
    [1, [['1'], ['2'], ['3'], ['4'], ['5']]],
  ])('continues from store to store, %d per page', async (limit, pages) => {
    expect(await pagesOf(await routerOf({ none: [], a: ['1', '2', '3'], empty: [], b: ['4', '5'] }), limit)).toEqual(
      pages,
    );
  });

  it('has the stores in the order of their positions, whichever registers first', async () => {
    const router = await routerOf({});
    for (const [scheme, position] of [
      ['late', 3],
      ['early', 1],
      ['between', 2],
    ] as const)
      router.register(storeOf(scheme, [scheme], position));
    expect(await pagesOf(router, 2)).toEqual([['early', 'between'], ['late']]);
  });

  it('is empty when no store has resources', async () => {
    expect(await pagesOf(await routerOf({}), 5)).toEqual([[]]);
    expect(await pagesOf(await routerOf({ a: [] }), 5)).toEqual([[]]);
  });

  it.each(['', 'x', Buffer.from('["gone",""]').toString('base64url')])('refuses the cursor %j', async (cursor) => {
    await expect((await routerOf({ a: ['1'] })).listPage(CLIENT, { limit: 5, cursor })).rejects.toThrow(InvalidCursor);
  });
});

import { ReadableResources } from './readable-resources.service.js';
import { policyService } from './testing.js';

const CLIENT = { name: 'ada', groups: [] };
const SECRETS =
  'forbid (principal, action, resource) when { resource has uri && resource.uri like "memory://secret/*" };';

/** Searches in these results, best first, and records how many were requested. */
async function findingOf(uris: readonly string[], limit: number, policy = SECRETS, isGiven = (_uri: string) => true) {
  const asked: number[] = [];
  const readable = new ReadableResources(await policyService({ secrets: policy }));
  const { items: found, hasMore } = await readable.findFor<string>(CLIENT, {
    limit,
    uriOf: (uri) => uri,
    find: async (most) => {
      asked.push(most);
      return { items: uris.slice(0, most).filter(isGiven), hasMore: uris.length > most };
    },
  });
  return { found, asked, hasMore };
}

const open = (count: number) => Array.from({ length: count }, (_, n) => `memory://team/${n}`);
const secret = (count: number) => Array.from({ length: count }, (_, n) => `memory://secret/${n}`);

describe('what a search finds for a client', () => {
  it('is the result of the search, when all of it may be read', async () => {
    expect(await findingOf(open(5), 3)).toEqual({ found: open(3), asked: [3], hasMore: true });
  });

  it('is as much as was asked for, although some of the best may not be read', async () => {
    expect(await findingOf([...secret(2), ...open(5)], 3)).toEqual({
      found: open(3),
      asked: [3, 30],
      hasMore: true, // more results were cut off, although everything was found
    });
  });

  it('is looked for further behind much that may not be read, up to 1,000', async () => {
    expect(await findingOf([...secret(500), ...open(2)], 3)).toEqual({
      found: open(2),
      asked: [3, 30, 300, 1_000],
      hasMore: false,
    });
    expect(await findingOf([...secret(1_000), ...open(2)], 50)).toEqual({
      found: [],
      asked: [50, 500, 1_000],
      hasMore: true,
    });
  });

  it('is the rest, when there is no more to find', async () => {
    expect(await findingOf([...secret(2), ...open(1)], 4)).toEqual({ found: open(1), asked: [4], hasMore: false });
    expect(await findingOf(secret(3), 3)).toEqual({ found: [], asked: [3, 30], hasMore: false });
  });

  it('is looked for further when the search itself leaves out some', async () => {
    const isGiven = (uri: string) => !uri.endsWith('/0');
    expect(await findingOf(open(5), 2, SECRETS, isGiven)).toMatchObject({ asked: [2, 20], hasMore: true });
  });

  it('is nothing for whom policies let read nothing', async () => {
    const nothing = 'forbid (principal, action == Action::"readResource", resource);';
    expect((await findingOf(open(3), 3, nothing)).found).toEqual([]);
  });
});

import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { SourceStore } from '../../src/features/knowledge/import/source.store.js';

describeEachDatabase('the names of imported folders', (open) => {
  const newStore = async () => new SourceStore(await open());

  it('belong to the folder that took them first', async () => {
    const sources = await newStore();
    await sources.begin('docs', '/a/docs', false);
    await sources.begin('docs', '/a/docs', false);
    await expect(sources.begin('docs', '/b/docs', false)).rejects.toMatchObject({
      code: 'knowledge.source_elsewhere',
      message: expect.stringMatching(/imported from \/a\/docs.*--name.*--moved/s) as string,
    });
    expect([await sources.findPlace('docs'), await sources.findPlace('other')]).toEqual(['/a/docs', undefined]);
  });

  it('go on to another folder when asked to, and then belong to it', async () => {
    const sources = await newStore();
    await sources.begin('docs', '/a/docs', false);
    await sources.begin('docs', '/b/docs', true);
    await expect(sources.begin('docs', '/a/docs', false)).rejects.toThrow('/b/docs');
  });

  it('are claimed by one of several folders that start at once', async () => {
    const sources = await newStore();
    const places = ['/a', '/b', '/c', '/d'];
    const began = await Promise.allSettled(places.map((place) => sources.begin('docs', place, false)));
    const winners = places.filter((_place, index) => began[index]?.status === 'fulfilled');
    expect(winners).toEqual([await sources.findPlace('docs')]);
  });

  it('behave like a map, whatever happens in whatever order', async () => {
    const sources = await newStore();
    const model = new Map<string, string>();
    let seed = 7;
    const next = (bound: number) => (seed = (seed * 48_271) % 2_147_483_647) % bound;
    for (let step = 0; step < 150; step += 1) {
      const [name, place, moves] = [`n${next(4)}`, `/p${next(3)}`, next(4) === 0];
      const isFree = moves || (model.get(name) ?? place) === place;
      const outcome = await sources.begin(name, place, moves).then(
        () => true,
        () => false,
      );
      if (isFree) model.set(name, place);
      expect([step, outcome, await sources.findPlace(name)]).toEqual([step, isFree, model.get(name)]);
    }
  });
});

import { settingsOn } from '../../src/platform/config/testing.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { recordedEvents } from '../../src/platform/events/testing.js';
import { PassageVectors } from '../../src/features/knowledge/passages/passage-vectors.store.js';
import { provideKnowledge } from '../../src/features/knowledge/standalone-knowledge.js';
import { BuiltinModel } from '../../src/features/semantic/models/builtin-model.service.js';
import { type Embedding, toEmbedding } from '../../src/features/semantic/models/embedding.rules.js';
import { semanticOn } from '../../src/features/semantic/testing.js';

/** A model whose similarity of a text to any query is the number at the end of the text. */
class NumberModel extends BuiltinModel {
  override get problem(): null {
    return null;
  }

  override async embed(texts: readonly string[]): Promise<(Embedding | null)[]> {
    return texts.map((text) => {
      const near = Number(/[\d.]+$/.exec(text)?.[0] ?? 1);
      return toEmbedding([near, Math.sqrt(1 - near * near)]);
    });
  }
}

describeEachDatabase('how near passages are in meaning', (open) => {
  async function world() {
    const [database, { events }] = [await open(), recordedEvents()];
    const settings = await settingsOn({ database, events });
    const { meaning, embedder } = semanticOn({ database, settings, events, builtin: new NumberModel() });
    const embed = async () => {
      await settings.set('knowledge.embeddings', 'builtin');
      await embedder.tick(() => new Date());
    };
    return { meaning, embed, knowledge: provideKnowledge(database, events, meaning), database };
  }

  async function found(...similarities: number[]) {
    const { meaning, embed, knowledge, database } = await world();
    for (const near of similarities) await knowledge.save({ title: `Page of ${near}`, content: `says ${near}` });
    await embed();
    const passages = new PassageVectors(database);
    const matches = await meaning.find(passages, { query: 'anything', among: null, limit: 10 });
    return matches.map(({ nearness, isEnough }) => [Number(nearness.toFixed(1)), isEnough]);
  }

  it('is returned for all, also for those that are not near enough to be found by it', async () => {
    expect(await found(0.9, 0.5, 0.1)).toEqual([
      [1, true],
      [0, false],
      [0, false],
    ]);
  });

  it('does not suffice where a passage stands out but is unrelated', async () => {
    expect(await found(0.35, 0.29, 0)).toEqual([
      [1, true],
      [0.6, false],
      [0, false],
    ]);
  });

  it('counts for passages that have the words, though it would not suffice to find them', async () => {
    const { knowledge, embed } = await world();
    await knowledge.save({ title: 'Near', content: 'An anchor of 0.6' });
    await knowledge.save({ title: 'Far', content: 'An anchor of 0.1' });
    await knowledge.save({ title: 'Other', content: 'A boat of 0.9' });
    const titles = async () =>
      (await knowledge.search({ query: 'anchor', limit: 5 })).map(({ document }) => document.title);
    expect(await titles()).toEqual(['Far', 'Near']); // the newest of equally similar ones
    await embed();
    expect(await titles()).toEqual(['Near', 'Far', 'Other']);
  });

  it('says nothing where even the nearest is unrelated', async () => {
    expect(await found(0.2, 0.1)).toEqual([
      [0, false],
      [0, false],
    ]);
  });
});

import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { provideKnowledge } from '../../src/features/knowledge/standalone-knowledge.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { semanticAt } from '../../src/features/semantic/testing.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';

/** Too long to share a passage with the sections around it. */
const filler = (word: string) => `${word} `.repeat(120).trim();
const sections = (texts: Record<string, string>): string =>
  Object.entries(texts)
    .map(([heading, text]) => `# ${heading}\n\n${text}`)
    .join('\n\n');

describeEachDatabase('the passages of a search', (open) => {
  it('are the two best of the first document, and the best of each other one', async () => {
    const { knowledge } = knowledgeOn(await open());
    const content = sections({
      Boats: `${filler('sail')} anchor`,
      Anchors: `${filler('rope')} An anchor holds. Take the anchor in.`,
      Meals: filler('bread'),
    });
    await knowledge.save({ title: 'Anchor handbook', content });
    await knowledge.save({
      title: 'Diary',
      content: sections({ One: `${filler('sun')} anchor`, Two: `${filler('rain')} anchor` }),
    });
    const [first, second, ...others] = await knowledge.search({ query: 'anchor', limit: 5 });
    expect([first?.passage.headings, first?.also?.passage.headings]).toEqual([['Anchors'], ['Boats']]);
    const { passage, matches = [] } = first?.also ?? {};
    expect(matches.map(({ start, end }) => passage?.content.slice(start, end))).toEqual(['anchor']);
    expect([second?.document.title, second?.also, others]).toEqual(['Diary', null, []]);
  });

  it('are one of the first document where the next document answers better than its second', async () => {
    const { knowledge } = knowledgeOn(await open());
    const content = sections({ Anchors: `${filler('rope')} Drop the anchor.`, Boats: `${filler('sail')} Drop it.` });
    await knowledge.save({ title: 'Handbook', content });
    await knowledge.save({ title: 'Diary', content: sections({ One: `${filler('sun')} Drop the anchor.` }) });
    await knowledge.save({ title: 'Other', content: filler('moon') });
    const hits = await knowledge.search({ query: 'drop anchor', limit: 5 });
    const shown = hits.map(({ passage, also }) => [passage.headings, also && also.passage.headings]);
    expect(shown).toEqual([
      [['Anchors'], null],
      [['One'], null],
    ]);
    const [only] = await knowledge.search({ query: 'drop anchor', limit: 1 });
    expect(only?.also?.passage.headings).toEqual(['Boats']);
  });

  it('are not chosen by an everyday word, though hardly any text has it', async () => {
    const { knowledge } = knowledgeOn(await open());
    await knowledge.save({ title: 'One', content: `${filler('rain')} It still falls.` });
    for (const title of ['Two', 'Three'])
      await knowledge.save({ title, content: `${filler(title)} The browser falls.` });
    const hits = await knowledge.search({ query: 'is the browser still there', limit: 5 });
    expect(hits.map(({ document }) => document.title)).toEqual(['Three', 'Two', 'One']);
  });

  it('have something to read, if the document has', async () => {
    const { knowledge } = knowledgeOn(await open());
    const links = Array.from(
      { length: 40 },
      (_, n) => `<a id="anchor-${n}"></a><!-- anchor of the anchors ${n} -->`,
    ).join('\n');
    await knowledge.save({
      title: 'Boats',
      content: sections({ 'Anchor anchors': links, Rope: `${filler('rope')} anchor` }),
    });
    await knowledge.save({ title: 'Empty', content: '<a id="anchor"></a>\n<!-- anchor -->' });
    const hits = await knowledge.search({ query: 'anchor', limit: 5 });
    const shown = hits.map(({ document, passage, also }) => [document.title, passage.headings, also]);
    expect(shown.sort()).toEqual([
      ['Boats', ['Rope'], null],
      ['Empty', [], null],
    ]);
  });
});

describeEachDatabase('the passages of a search by words and by meaning', (open) => {
  let server: EmbeddingsServer;
  EmbeddingsServer.forEachTest((started) => (server = started));

  it('are chosen by both within a document', async () => {
    const { database, events, meaning, embedder } = await semanticAt(await open(), server.url);
    const knowledge = provideKnowledge(database, events, meaning);
    const content = sections({
      Cafeteria: `${filler('soup')} Ask at the desk where to eat.`,
      Cars: `Every car needs a permit. ${filler('car')}`,
      Gym: `${filler('weights')} Ask there.`,
    });
    await knowledge.save({ title: 'Office', content });
    await embedder.tick(() => new Date());
    // Only semantic search finds the section about cars: the words of the query are elsewhere.
    const [hit] = await knowledge.search({ query: 'ask for a vehicle', limit: 5 });
    expect([hit?.passage.headings, hit?.also?.passage.headings].flat().sort()).toContain('Cars');
    expect(hit?.match).toBe('some');
  });
});

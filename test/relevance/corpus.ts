import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { passagesOf } from '../../src/features/knowledge/passages/passages.rules.js';
import { Random } from '../fuzz/random.js';
import { SITES, type Topic, TOPICS } from './topics.js';

export interface CorpusDocument {
  /** `file#heading` or `topic@site`. */
  key: string;
  title: string;
  content: string;
}

const FILLER = [
  'This page is kept by the office team and reviewed twice a year.',
  'Questions go to the channel of the site, which somebody reads every day.',
  'The process changed last year, so older mails may say something else.',
  'Please write down what you did, so that the next person can follow.',
  'Exceptions are possible when a lead agrees in writing.',
  'The document was translated, and the English text counts.',
  'Time is given in the local zone unless it says otherwise.',
  'Contractors follow the same rules as employees.',
] as const;

export const topicKey = (topic: Topic, site: string): string => `${topic.name}@${site}`;

/** The project's own documents by section, and 300 generated ones: each topic at each site. */
export function corpus(): CorpusDocument[] {
  return [...projectSections(), ...generated(new Random(7))];
}

function projectSections(): CorpusDocument[] {
  const pages = ['docs', 'docs/adr'].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const documents = pages.filter((path) => path.endsWith('.md'));
  return ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...documents].flatMap((file) => {
    const sections = new Map<string, string[]>();
    for (const { headings, content } of passagesOf(readFileSync(file, 'utf8'))) {
      const heading = headings.at(-1) ?? file;
      sections.set(heading, [...(sections.get(heading) ?? []), content]);
    }
    return [...sections].map(([heading, parts]) => ({
      key: `${file}#${heading}`,
      title: heading,
      content: parts.join('\n\n'),
    }));
  });
}

function generated(random: Random): CorpusDocument[] {
  return TOPICS.flatMap((topic) =>
    SITES.map((site) => {
      const other = random.pick(TOPICS);
      const sentences = [
        ...topic.sentences,
        `In ${site} this is looked after on floor ${random.integer(1, 9)}.`,
        random.pick(FILLER),
        random.pick(FILLER),
        `Unlike ${other.name.toLowerCase()}, it is the same in ${random.pick(SITES)} and in ${random.pick(SITES)}.`,
      ];
      const shuffled = sentences
        .map((sentence) => ({ sentence, order: random.next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ sentence }) => sentence);
      const content = `## ${topic.name}\n\n${shuffled.slice(0, 3).join(' ')}\n\n## Notes\n\n${shuffled.slice(3).join(' ')}`;
      return { key: topicKey(topic, site), title: `${topic.name} in ${site}`, content };
    }),
  );
}

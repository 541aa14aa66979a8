import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toDocument } from '../../src/features/knowledge/import/imported-file.rules.js';
import type { KnowledgeService } from '../../src/features/knowledge/knowledge.service.js';
import { ANSWERS, type JudgedAnswer } from './answers.js';
import { manualOf } from './documentation/corpus.js';
import { FASTIFY_ANSWERS } from './fastify-answers.js';

export interface Manual {
  /** Its path in node_modules. */
  path: string;
  content: string;
}

export interface AnswerSet {
  documents: readonly Manual[];
  questions: readonly JudgedAnswer[];
}

/** Manuals of the packages that this project uses. The ranking was tuned on these questions. */
export const ownAnswers = (): AnswerSet => ({ documents: manuals(), questions: ANSWERS });

/** The manual of Fastify, which this project does not use. @throws Error if it is not installed */
export const fastifyAnswers = (): AnswerSet => ({ documents: manualOf('fastify/docs'), questions: FASTIFY_ANSWERS });

/** Returns the set with only the documents that answer a question. */
export function withoutOthers({ documents, questions }: AnswerSet): AnswerSet {
  const answering = new Set(questions.flatMap((question) => textsOf(question).map(([path]) => path)));
  return { documents: documents.filter(({ path }) => answering.has(path)), questions };
}

export function missingAnswers({ documents, questions }: AnswerSet): string[] {
  const contents = new Map(documents.map(({ path, content }) => [path, content]));
  return questions
    .flatMap(textsOf)
    .filter(([path, text]) => !contents.get(path)?.includes(text))
    .map(([path, text]) => `${path}: ${text}`);
}

/** The answers to a question: the document, and the text in it. */
const textsOf = ([, document, ...answers]: JudgedAnswer): (readonly [path: string, text: string])[] =>
  answers.map((answer) => (typeof answer === 'string' ? [document, answer] : answer));

interface Answered {
  /** Share of questions whose answer is in the first passage returned, and in one of the first two. */
  first: number;
  firstTwo: number;
}

/** Saves the documents of a set. Returns a function that searches for each question and prints those without an answer. */
export async function saved(
  knowledge: KnowledgeService,
  { documents, questions }: AnswerSet,
): Promise<(title: string) => Promise<Answered>> {
  const paths = new Map<string, string>();
  for (const manual of documents) {
    const { document } = await knowledge.save(toDocument(manual));
    paths.set(document.id, manual.path);
  }
  return async (title) => {
    const problems: string[] = [];
    let [first, firstTwo] = [0, 0];
    for (const question of questions) {
      const shown = (await knowledge.search({ query: question[0], limit: 3 })).flatMap(({ document, passage, also }) =>
        [passage, ...(also ? [also.passage] : [])].map((one) => ({ ...one, path: paths.get(document.id) })),
      );
      const answers = textsOf(question);
      const at = shown.findIndex((one) =>
        answers.some(([path, text]) => one.path === path && one.content.includes(text)),
      );
      if (at === 0) first += 1;
      if (at === 0 || at === 1) firstTwo += 1;
      else
        problems.push(`  ${question[0]} -> ${shown[0]?.path ?? 'nothing'} ${shown[0]?.headings.join(' > ') ?? ''}\n`);
    }
    process.stderr.write(
      `${title}, the first passage answers ${first} of ${questions.length} questions, and one of the first two ${firstTwo}. Not:\n${problems.join('')}`,
    );
    return { first: first / questions.length, firstTwo: firstTwo / questions.length };
  };
}

/** Manuals of packages, as distractors. */
const FOLDERS = ['pino/docs', 'undici/docs/docs/api'];
const PACKAGES = [
  ...['ajv', 'body-parser', 'busboy', 'chalk', 'ci-info', 'class-transformer', 'class-validator', 'cookie'],
  ...['croner', 'cors', 'debug', 'dotenv', 'eventemitter2', 'execa', 'express', 'fast-xml-parser', 'glob', 'helmet'],
  ...['ipaddr.js', 'jose', 'kysely', 'lru-cache', 'markdown-it', 'minimatch', 'minipass', 'multer', 'pg', 'picomatch'],
  ...['pino', 'qs', 'rate-limiter-flexible', 'sanitize-html', 'semver', 'send', 'superagent', 'supertest', 'turndown'],
  ...['undici', 'yaml', 'zod'],
];

/** Returns the documents that the questions are about, and distractors. */
function manuals(): Manual[] {
  const files = [
    ...PACKAGES.flatMap((name) => markdownIn(name).filter((file) => /readme/i.test(file))),
    ...FOLDERS.flatMap(markdownIn),
  ];
  return files.map((path) => ({ path, content: readFileSync(join('node_modules', path), 'utf8') }));
}

const markdownIn = (folder: string): string[] =>
  readdirSync(join('node_modules', folder))
    .filter((name) => name.toLowerCase().endsWith('.md'))
    .map((name) => `${folder}/${name}`);

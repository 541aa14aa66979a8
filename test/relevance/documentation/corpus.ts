import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import type { CorpusDocument } from '../corpus.js';

const FOLDER = 'test/relevance/documentation';

const PACKAGES = join(FOLDER, 'node_modules');

const SECTIONS = [
  { folder: 'ai/docs', without: [] },
  // Hundreds of pages that describe one rule each, often the same rule of another linter; and snippets of other pages.
  { folder: 'bun-types/docs', without: ['lint/rules/', 'snippets/'] },
  { folder: 'npm/docs/content', without: [] },
] as const;

/** Shorter pages are only lists of links. */
const SHORTEST_PAGE = 300;

/**
 * Returns the pages of the packages in this folder, or null when these are not installed in the required versions. The key is
 * the file in its package, such as `npm/docs/content/commands/npm-ci.md`; the content has no front matter.
 */
export function documentation(): CorpusDocument[] | null {
  if (!isInstalled()) return null;
  return SECTIONS.flatMap(({ folder, without }) =>
    filesOf(folder)
      .filter((file) => !without.some((start) => file.startsWith(start)))
      .map((file) => toDocument(`${folder}/${file}`)),
  ).filter(({ content }) => content.length >= SHORTEST_PAGE);
}

/** Returns the unchanged Markdown files of a folder of these packages. @throws Error if it is not installed */
export const manualOf = (folder: string): { path: string; content: string }[] =>
  filesOf(folder).map((file) => ({
    path: `${folder}/${file}`,
    content: readFileSync(join(PACKAGES, folder, file), 'utf8'),
  }));

function isInstalled(): boolean {
  const { dependencies } = readJson(join(FOLDER, 'package.json'));
  return Object.entries(dependencies ?? {}).every(([name, wanted]) => {
    const file = join(PACKAGES, name, 'package.json');
    return existsSync(file) && readJson(file).version === wanted;
  });
}

interface PackageJson {
  version?: string;
  dependencies?: Record<string, string>;
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as PackageJson;

/** What to install when the packages are missing. */
export const NEEDED = {
  program: 'the documentation in npm packages',
  path: isInstalled() ? FOLDER : null,
  getIt: 'npm run test:relevance installs it',
};

/** The Markdown files of a folder, in the same order on every system. */
function filesOf(folder: string): string[] {
  return readdirSync(join(PACKAGES, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(sep, '/'))
    .filter((file) => /\.mdx?$/.test(file))
    .sort();
}

function toDocument(key: string): CorpusDocument {
  const text = readFileSync(join(PACKAGES, key), 'utf8').replaceAll('\r\n', '\n');
  const frontMatter = /^---\n(.*?)\n---\n/s.exec(text);
  const content = text.slice(frontMatter?.[0].length ?? 0).trim();
  const title = /^title:(.+)$/m.exec(frontMatter?.[1] ?? '')?.[1] ?? /^#+ (.+)$/m.exec(content)?.[1] ?? basename(key);
  return { key, title: withoutQuotes(title.trim()), content };
}

const withoutQuotes = (title: string) => /^(["'])(.+)\1$/.exec(title)?.[2] ?? title;

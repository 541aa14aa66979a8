import type { Kysely, Selectable, Transaction } from 'kysely';
import type { SkillPackageVersionTable } from '../../platform/database/package-tables.js';
import type { Tables } from '../../platform/database/tables.js';
import { languageOf } from '../../platform/text/language.rules.js';
import { addToTextIndex, removeFromTextIndex } from '../../platform/text/text-index.js';
import { toIndexedText } from '../../platform/text/word-counts.rules.js';
import { indexedText } from '../../platform/text/words.rules.js';
import { textOf } from './files/package-check.rules.js';
import { factsOf, instructionsIn } from './files/skill-file.rules.js';
import { type Frontmatter, type PackageSource, type PackageVersion, SKILL_FILE } from './files/package.js';

export const PACKAGE_INDEX = 'skill_package_index';
/** Indexed characters of the instructions; limited because splitting a text into words blocks the thread. */
const INDEXED_CHARACTERS = 20_000;

export const VERSION_COLUMNS = [
  ...(['name', 'version', 'digest', 'files', 'bytes', 'source', 'saved_at', 'saved_by'] as const),
] as const;

export const toVersion = (
  row: Pick<Selectable<SkillPackageVersionTable>, (typeof VERSION_COLUMNS)[number]>,
): PackageVersion => ({
  name: row.name,
  version: row.version,
  digest: row.digest,
  files: row.files,
  bytes: row.bytes,
  source: row.source as PackageSource,
  savedAt: new Date(row.saved_at),
  savedBy: row.saved_by,
});

/** The search data of the current version of a package. */
interface PackageTexts {
  id: number;
  name: string;
  version: number;
  description: string;
  tags: readonly string[];
  /** The start of the instructions. */
  body: string;
}

/** Returns the texts of packages, including removed ones, in no particular order. */
export async function listCurrentTexts(db: Kysely<Tables>, ids: readonly number[]): Promise<PackageTexts[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('skill_packages')
    .innerJoin('skill_package_versions', (join) =>
      join
        .onRef('skill_package_versions.name', '=', 'skill_packages.name')
        .onRef('skill_package_versions.version', '=', 'skill_packages.version'),
    )
    .innerJoin('skill_package_files', (join) =>
      join
        .onRef('skill_package_files.name', '=', 'skill_packages.name')
        .onRef('skill_package_files.version', '=', 'skill_packages.version'),
    )
    .select(['skill_packages.id', 'skill_packages.name', 'skill_packages.version'])
    .select(['skill_package_versions.frontmatter', 'skill_package_files.content'])
    .where('skill_packages.id', 'in', ids)
    .where('skill_package_files.path', '=', SKILL_FILE)
    .execute();
  return rows.map(({ content, frontmatter: json, ...row }) => {
    const frontmatter = JSON.parse(json) as Frontmatter;
    return {
      ...row,
      description: frontmatter.description,
      tags: factsOf(frontmatter).tags,
      body: instructionsIn(textOf(content)).slice(0, INDEXED_CHARACTERS),
    };
  });
}

/** Replaces a package in the text index by its current version, and deletes the vector of the previous one. */
export async function indexCurrent(transaction: Transaction<Tables>, id: number): Promise<void> {
  await removeFromTextIndex(transaction, PACKAGE_INDEX, id);
  await transaction.deleteFrom('skill_package_vectors').where('package_id', '=', id).execute();
  const [texts] = await listCurrentTexts(transaction, [id]);
  if (!texts) return;
  const { name, description, tags, body } = texts;
  const language = languageOf(`${description}\n${body}`);
  const fields = {
    title: indexedText(name, language),
    context: indexedText(`${description}\n${tags.join('\n')}`, language),
    body: indexedText(body, language),
  };
  await addToTextIndex(transaction, PACKAGE_INDEX, [{ id, ...toIndexedText(fields, language, []) }]);
}

import type { Selectable, Transaction } from 'kysely';
import type { SkillPackageTable, SkillPackageVersionTable } from '../../platform/database/package-tables.js';
import type { Tables } from '../../platform/database/tables.js';
import { languageOf } from '../../platform/text/language.rules.js';
import { addToTextIndex, removeFromTextIndex } from '../../platform/text/text-index.js';
import { toIndexedText } from '../../platform/text/word-counts.rules.js';
import { indexedText } from '../../platform/text/words.rules.js';
import { textOf } from './files/package-check.rules.js';
import { factsOf, instructionsIn } from './files/skill-file.rules.js';
import { type Frontmatter, type PackageSource, type PackageVersion, SKILL_FILE } from './files/package.js';

export const PACKAGE_INDEX = 'skill_package_index';
/** Making words of a text holds the thread: these characters of the instructions are found. */
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

/** Puts the current version of a package into the text index, in place of the one before. */
export async function indexCurrent(
  transaction: Transaction<Tables>,
  { id, name, version }: Pick<Selectable<SkillPackageTable>, 'id' | 'name' | 'version'>,
): Promise<void> {
  await removeFromTextIndex(transaction, PACKAGE_INDEX, id);
  const row = await transaction
    .selectFrom('skill_package_files')
    .innerJoin('skill_package_versions', (join) =>
      join
        .onRef('skill_package_versions.name', '=', 'skill_package_files.name')
        .onRef('skill_package_versions.version', '=', 'skill_package_files.version'),
    )
    .select(['skill_package_versions.frontmatter', 'skill_package_files.content'])
    .where('skill_package_files.name', '=', name)
    .where('skill_package_files.version', '=', version)
    .where('skill_package_files.path', '=', SKILL_FILE)
    .executeTakeFirst();
  if (!row) return;
  const frontmatter = JSON.parse(row.frontmatter) as Frontmatter;
  const body = instructionsIn(textOf(row.content)).slice(0, INDEXED_CHARACTERS);
  const language = languageOf(`${frontmatter.description}\n${body}`);
  const fields = {
    title: indexedText(name, language),
    context: indexedText(`${frontmatter.description}\n${factsOf(frontmatter).tags.join('\n')}`, language),
    body: indexedText(body, language),
  };
  await addToTextIndex(transaction, PACKAGE_INDEX, [{ id, ...toIndexedText(fields, language, []) }]);
}

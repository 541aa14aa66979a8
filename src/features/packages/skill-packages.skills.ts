import { Injectable } from '@nestjs/common';
import { failure, result, Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import { ReadableResources } from '../../access/policy/readable-resources.service.js';
import { ResourceRouter } from '../../core/resources/resource.router.js';
import { describeLacks, type Lack, LONGEST_GIVEN } from '../../platform/text/search-lacks.rules.js';
import { isTextual, textOf } from './files/package-check.rules.js';
import { composed, packageUri, parsePackageUri } from './files/package-path.rules.js';
import { isPackageName } from './files/skill-file.rules.js';
import { describeFiles, readableText, shortDescription } from './files/package-text.rules.js';
import { SKILL_FILE, type SkillPackage } from './files/package.js';
import { uriOfPackage } from './skill-packages.provider.js';
import { PackageSearch } from './package-search.service.js';
import { SkillPackages } from './skill-packages.service.js';
import { Integer, Text } from '../../core/skills/skill-fields.decorators.js';

const DEFAULT_FOUND = 10;

class SkillFindInput {
  @Text('What you are about to do, such as "write release notes". By default, all skills in alphabetical order.', {
    min: 1,
    max: LONGEST_GIVEN,
    optional: true,
  })
  query?: string;

  @Integer('How many skills to return, 1 to 100, for example 20.', {
    min: 1,
    max: 100,
    optional: true,
    default: DEFAULT_FOUND,
  })
  limit?: number;
}

class SkillReadInput {
  @Text('Name of the skill, such as "release-notes".', { min: 1, max: 64 }) name!: string;

  @Text('Path of one of its files, such as "references/GUIDE.md". By default, its instructions.', {
    min: 1,
    max: 1_000,
    optional: true,
  })
  file?: string;
}

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

@Skill({
  name: 'skill_find',
  title: 'Find a skill (instructions for a task)',
  description:
    'Use this before you begin a task, to find the skill of the team that says how it is done here (such as releases, ' +
    'reviews, reports, documents). Returns names and descriptions, the best match first; get the instructions of one with ' +
    'skill_read.',
  input: SkillFindInput,
  annotations: READS,
})
@Injectable()
export class SkillFindSkill implements SkillHandler<SkillFindInput> {
  constructor(
    private readonly packages: SkillPackages,
    private readonly search: PackageSearch,
    private readonly readable: ReadableResources,
  ) {}

  async execute({ query, limit = DEFAULT_FOUND }: SkillFindInput, { client, signal }: SkillContext): Promise<string> {
    const lacks = new Set<Lack>();
    const { items, hasMore } = await this.readable.findFor(client, {
      limit,
      uriOf: uriOfPackage,
      find: async (most) => {
        if (query !== undefined)
          return { items: await this.search.search({ query, limit: most, lacks, signal }), hasMore: false };
        const all = this.packages.listEnabled();
        return { items: all.slice(0, most), hasMore: all.length > most };
      },
    });
    if (items.length === 0)
      return query === undefined
        ? 'There is no skill for you here.'
        : `No skill fits these words. Try others, or leave out the query to list all skills.${describeLacks(lacks)}`;
    const lines = items.map(({ name, frontmatter }) => `- ${name}: ${shortDescription(frontmatter.description, 300)}`);
    const more = hasMore ? '\nThere are more: raise limit, or give a query.' : '';
    return `${lines.join('\n')}${more}\n\nskill_read { name } returns the instructions of a skill.${describeLacks(lacks)}`;
  }
}

@Skill({
  name: 'skill_read',
  title: 'Read a skill (instructions for a task)',
  description:
    'Use this to get the instructions of a skill by its name, before you do the task that it is for, and then the files ' +
    'that the instructions name. Returns the text; at the end, the list of the files of the skill. skill_find says which ' +
    'skills there are.',
  input: SkillReadInput,
  annotations: READS,
})
@Injectable()
export class SkillReadSkill implements SkillHandler<SkillReadInput> {
  constructor(
    private readonly packages: SkillPackages,
    private readonly resources: ResourceRouter,
  ) {}

  async execute({ name, file: wanted = SKILL_FILE }: SkillReadInput, { client }: SkillContext): Promise<SkillResult> {
    // First, so that nobody learns which skills exist that they may not read.
    if (isPackageName(name)) this.resources.assertMayRead(client, uriOfPackage({ name }));
    const found = this.packages.findEnabled(name);
    if (!found) return failure(`There is no skill "${name}". skill_find says which skills there are.`);
    const file = namedFile(wanted, found);
    // Everything below is from this version.
    const bytes = found.files.some(({ path }) => path === file) && (await this.packages.readFile(found, file));
    const files = describeFiles(name, found.files);
    if (!bytes)
      return failure(`The skill ${name} has no file "${file}". ${files || 'It has no files but its instructions.'}`);
    return result(text(this.contentOf(found, file, bytes)), ...(files === '' ? [] : [text(files)]));
  }

  private contentOf({ name }: SkillPackage, file: string, bytes: Uint8Array): string {
    if (isTextual(bytes)) return readableText(name, file, textOf(bytes));
    return `${file} is no text (${bytes.length} bytes): resource_read returns it by its uri ${packageUri(name, file)}.`;
  }
}

/** Returns the path of the file that a link in the instructions names: such as "./a%20b.md#part" for the file "a b.md". */
function namedFile(written: string, { name, files }: SkillPackage): string {
  const path = composed(written.replace(/^(?:\.\/)+/, ''));
  const linked = parsePackageUri(`${packageUri(name)}/${path.replace(/#.*$/s, '')}`)?.path;
  const isThere = (one: string | undefined) => files.some((file) => file.path === one);
  return linked !== undefined && !isThere(path) && isThere(linked) ? linked : path;
}

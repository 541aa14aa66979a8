import { Injectable } from '@nestjs/common';
import { embedded, result, Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import { Integer, Text } from '../skills/skill-fields.decorators.js';
import type { ResourceContent } from './resource-store.js';
import { ResourcePart } from './resource-part.service.js';
import { ResourceRouter } from './resource.router.js';

class ResourceReadInput {
  @Text(
    'Address of what to read, as results name it, such as knowledge://documents/deploy-day, knowledge://documents/deploy-day#passage-3 or memory://shared/deploy-day.',
    { min: 1, max: 2048 },
  )
  uri!: string;

  @Text(
    'Only the part under this heading of a Markdown text, such as "Install" or "Install > From npm". By default, all.',
    { min: 1, max: 1000, optional: true },
  )
  section?: string;

  @Integer('Only this passage of a document of the knowledge base, for example 3; 1 is the first. By default, all.', {
    min: 1,
    max: 999_999,
    optional: true,
  })
  passage?: number;

  @Text('Only these lines, such as "40-80"; 1 is the first. By default, all.', { max: 30, optional: true })
  lines?: string;

  @Text('Only these characters, such as "1-5000"; 1 is the first. By default, all.', { max: 30, optional: true })
  characters?: string;
}

/** The id of a document, in the form in which results name it, with or without a passage. */
const BARE_ID = /^[\w-]{1,200}(?:#[\w-]{1,100})?$/;
const DOCUMENTS = 'knowledge://documents/';

@Skill({
  name: 'resource_read',
  title: 'Read a resource',
  description:
    'Use this to read something by its address (a document of the docs, a note, a news item, a workflow, a setting), or only a ' +
    'part of a long text: a section, a passage, some lines or some characters. ' +
    'Returns the content as it is; after it, notes in brackets say the version of a document, and of a part, what it is a part of ' +
    'and how to read on. If the URI is ' +
    'unknown, the error lists the forms of URIs that exist; if the section is, it lists the sections.',
  input: ResourceReadInput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class ResourceRead implements SkillHandler<ResourceReadInput> {
  constructor(
    private readonly resources: ResourceRouter,
    private readonly parts: ResourcePart,
  ) {}

  async execute({ uri, ...part }: ResourceReadInput, { client }: SkillContext): Promise<SkillResult> {
    const asked = this.parts.parse(addressOf(uri), part);
    const contents = await this.resources.read(client, asked.uri, { whole: asked.part !== null });
    const shown = asked.part ? await this.parts.take(contents, asked.part) : contents;
    const blocks = shown.map((content) => ('text' in content ? text(content.text) : embedded(content)));
    return result(
      ...blocks,
      ...versionOf(contents).map((version) => text(`[This is version ${version} of the document.]`)),
    );
  }
}

/** Returns the address as the stores know it: models write it with "/" at its end, or as a link of Markdown. */
function addressOf(written: string): string {
  const uri = written
    .trim()
    .replace(/^<(.*)>$/, '$1')
    .replace(/(?<=[^/])\/$/, '');
  return BARE_ID.test(uri) ? `${DOCUMENTS}${uri}` : uri;
}

/** Returns the version of the content, on which a change may be based; nothing when it has none. */
function versionOf([content]: readonly ResourceContent[]): number[] {
  const version = content?._meta?.['version'];
  return typeof version === 'number' ? [version] : [];
}

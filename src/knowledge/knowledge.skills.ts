import { Injectable } from '@nestjs/common';
import { IsArray, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import { OptionalTags } from '../text/tags.schema.js';
import type { KnowledgeHit, SaveOutcome } from './document.js';
import { documentUri, MAX_CONTENT, MAX_TITLE } from './document.rules.js';
import { ReadableResources } from '../policy/readable-resources.service.js';
import { KnowledgeService } from './knowledge.service.js';
import { MAX_PASSAGE } from './passages/cuts.rules.js';
import { describeResult, toSearchResult } from './search-result.rules.js';
import { DEFAULT_HITS, KnowledgeSearchInput, KnowledgeSearchResult } from './search.schema.js';

@Skill({
  name: 'knowledge_search',
  title: 'Search the knowledge base',
  description:
    'Use this to look something up in the knowledge base of the team (docs, handbook, how-tos, decisions) before you answer ' +
    'from memory. Returns the documents that match best, each with its URI and the passage that matched, as it stands in ' +
    'the document, with the headings above it. Read on with resource_read: the passage before or after, a section, or all. ' +
    'Words may be in any order; "quoted phrases" must match exactly. With tags, only documents that have all of them are found.',
  input: KnowledgeSearchInput,
  output: KnowledgeSearchResult,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class KnowledgeSearchSkill implements SkillHandler<KnowledgeSearchInput> {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly readable: ReadableResources,
  ) {}

  async execute(
    { query, tags, limit: asked = DEFAULT_HITS, max_characters: most = MAX_PASSAGE }: KnowledgeSearchInput,
    { client }: SkillContext,
  ): Promise<SkillResult> {
    const hits = await this.readable.findFor(client, {
      limit: asked,
      uriOf: ({ document }: KnowledgeHit) => documentUri(document.id),
      find: (limit) => this.knowledge.search({ query, tags, limit }),
    });
    const found = toSearchResult(query, hits, most);
    return { content: [text(describeResult(found))], structuredContent: { ...found } };
  }
}

class KnowledgeSaveInput {
  @IsString() @MinLength(1) @MaxLength(MAX_TITLE) title!: string;
  /** Markdown. */
  @IsString() @MinLength(1) @MaxLength(MAX_CONTENT) content!: string;
  @OptionalTags() tags?: string[];
  /** Id of the document to replace; without it, a new document is added. */
  @IsOptional() @IsString() @MaxLength(64) id?: string;

  @JSONSchema({
    description:
      'The version of the document that the content is based on, such as 3: if somebody has changed the document since, ' +
      'nothing is saved. Results of knowledge_search and knowledge_save name it.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(2_000_000_000)
  version?: number;
}

class KnowledgeSaveResult {
  @IsString() uri!: string;
  @IsString() id!: string;
  @JSONSchema({ description: 'Of the document as it is now.' })
  @IsInt()
  version!: number;

  @IsIn(['created', 'updated', 'unchanged']) outcome!: SaveOutcome;
  /** URIs of other documents with the same title. */
  @IsArray() @IsString({ each: true }) sameTitle!: string[];
}

@Skill({
  name: 'knowledge_save',
  title: 'Save to the knowledge base',
  description:
    'Use this to keep a document that the whole team should be able to find later, such as a decision, a how-to or the ' +
    'result of research. Content is Markdown; headings make its parts findable. To change a document, pass its id: the ' +
    'content is replaced, and its history keeps the former version. Returns the URI. For short personal notes use memory_save.',
  input: KnowledgeSaveInput,
  output: KnowledgeSaveResult,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class KnowledgeSaveSkill implements SkillHandler<KnowledgeSaveInput> {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly readable: ReadableResources,
  ) {}

  async execute({ version, ...input }: KnowledgeSaveInput, { client }: SkillContext): Promise<SkillResult> {
    const { document, outcome } = await this.knowledge.save({ ...input, basedOn: version, source: client.name });
    const others = (await this.knowledge.listIdsByTitle(document.title)).filter((id) => id !== document.id);
    const saved: KnowledgeSaveResult = {
      uri: documentUri(document.id),
      id: document.id,
      version: document.version,
      outcome,
      sameTitle: others.map(documentUri).filter((uri) => this.readable.mayRead(client, uri)),
    };
    return { content: [text(describeSaved(document.title, saved))], structuredContent: { ...saved } };
  }
}

function describeSaved(title: string, { uri, version, outcome, sameTitle }: KnowledgeSaveResult): string {
  const done = {
    created: `Saved ${JSON.stringify(title)} as ${uri}.`,
    updated: `Replaced ${JSON.stringify(title)} at ${uri}: it is version ${version} now; ${uri}/history/${version - 1} is the former one.`,
    unchanged: `Nothing changed: ${uri} already has this content.`,
  }[outcome];
  if (sameTitle.length === 0) return done;
  return `${done} Other documents have the same title: ${sameTitle.join(', ')}. To change one of them instead, save with its id and remove this one.`;
}

class KnowledgeRemoveInput {
  @IsString() @MinLength(1) @MaxLength(200) id!: string;
}

@Skill({
  name: 'knowledge_remove',
  title: 'Remove from the knowledge base',
  description:
    'Use this to delete a wrong or outdated document from the knowledge base, by its id or its URI. This cannot be ' +
    'undone. To correct a document, use knowledge_save with its id instead.',
  input: KnowledgeRemoveInput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class KnowledgeRemoveSkill implements SkillHandler<KnowledgeRemoveInput> {
  constructor(private readonly knowledge: KnowledgeService) {}

  async execute({ id }: KnowledgeRemoveInput): Promise<string> {
    const bare = id.startsWith(documentUri('')) ? id.slice(documentUri('').length) : id;
    await this.knowledge.remove(bare);
    return `Removed ${documentUri(bare)}.`;
  }
}

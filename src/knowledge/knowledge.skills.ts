import { Injectable } from '@nestjs/common';
import { IsArray, IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { Nested, Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import { OptionalTags } from '../text/tags.schema.js';
import type { KnowledgeHit, Match, SaveOutcome } from './document.js';
import { documentUri, MAX_CONTENT, MAX_TITLE } from './document.rules.js';
import { ReadableResources } from '../policy/readable-resources.service.js';
import { KnowledgeService } from './knowledge.service.js';

const DEFAULT_HITS = 8;

class KnowledgeSearchInput {
  @IsString() @MinLength(1) @MaxLength(1000) query!: string;
  @OptionalTags() tags?: string[];
  @IsOptional() @IsInt() @Min(1) @Max(50) limit?: number;
}

class KnowledgeSearchHit {
  @IsString() uri!: string;
  @IsString() id!: string;
  @IsString() title!: string;
  /** The headings that the passage stands under. */
  @IsString() section!: string;
  @IsString() passage!: string;
  /** Whether the passage has all words of the query, some of them, or is similar in meaning. */
  @IsIn(['all', 'some', 'meaning']) match!: Match;
  @IsArray() @IsString({ each: true }) tags!: string[];
  @IsString() updated!: string;
}

class KnowledgeSearchResult {
  @Nested(() => KnowledgeSearchHit, { each: true }) hits!: KnowledgeSearchHit[];
}

@Skill({
  name: 'knowledge_search',
  title: 'Search the knowledge base',
  description:
    'Use this to look something up in the knowledge base of the team before you answer from memory. Returns the documents ' +
    'that match best, each with its URI and the passage that matched; read a whole document with resource_read. Words may ' +
    'be in any order; "quoted phrases" must match exactly. With tags, only documents that have all of them are found.',
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
    { query, tags, limit: asked = DEFAULT_HITS }: KnowledgeSearchInput,
    { client }: SkillContext,
  ): Promise<SkillResult> {
    const hits = await this.readable.findFor(client, {
      limit: asked,
      uriOf: ({ document }: KnowledgeHit) => documentUri(document.id),
      find: (limit) => this.knowledge.search({ query, tags, limit }),
    });
    const found: KnowledgeSearchResult = { hits: hits.map(toSearchHit) };
    return { content: [text(describeHits(query, found))], structuredContent: { ...found } };
  }
}

function toSearchHit({ document, headings, excerpt, match }: KnowledgeHit): KnowledgeSearchHit {
  return {
    uri: documentUri(document.id),
    id: document.id,
    title: document.title,
    section: headings.join(' > '),
    passage: excerpt,
    match,
    tags: [...document.tags],
    updated: document.updatedAt.toISOString(),
  };
}

const MATCH_FACTS: Record<Match, string[]> = {
  all: [],
  some: ['has some of the words'],
  meaning: ['found by its meaning'],
};

function describeHits(query: string, { hits }: KnowledgeSearchResult): string {
  if (hits.length === 0) {
    return `Nothing in the knowledge base matches ${JSON.stringify(query)}. Try other or fewer words, or search without tags.`;
  }
  const entries = hits.map(({ uri, title, section, passage, match, tags, updated }, index) => {
    const facts = [
      ...MATCH_FACTS[match],
      `updated ${updated.slice(0, 10)}`,
      ...(tags.length > 0 ? [`tags: ${tags.join(', ')}`] : []),
    ];
    const where = section && section !== title ? `\n   Section: ${section}` : '';
    return `${index + 1}. ${title}\n   ${uri} (${facts.join('; ')})${where}\n   ${passage}`;
  });
  return [`${hits.length} found, the best first:`, ...entries].join('\n\n');
}

class KnowledgeSaveInput {
  @IsString() @MinLength(1) @MaxLength(MAX_TITLE) title!: string;
  /** Markdown. */
  @IsString() @MinLength(1) @MaxLength(MAX_CONTENT) content!: string;
  @OptionalTags() tags?: string[];
  /** Id of the document to replace; without it, a new document is added. */
  @IsOptional() @IsString() @MaxLength(64) id?: string;
}

class KnowledgeSaveResult {
  @IsString() uri!: string;
  @IsString() id!: string;
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
    'content is replaced. Returns the URI. For short personal notes use memory_save.',
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

  async execute(input: KnowledgeSaveInput, { client }: SkillContext): Promise<SkillResult> {
    const { document, outcome } = await this.knowledge.save({ ...input, source: client.name });
    const others = (await this.knowledge.listIdsByTitle(document.title)).filter((id) => id !== document.id);
    const saved: KnowledgeSaveResult = {
      uri: documentUri(document.id),
      id: document.id,
      outcome,
      sameTitle: others.map(documentUri).filter((uri) => this.readable.mayRead(client, uri)),
    };
    return { content: [text(describeSaved(document.title, saved))], structuredContent: { ...saved } };
  }
}

function describeSaved(title: string, { uri, outcome, sameTitle }: KnowledgeSaveResult): string {
  const done = {
    created: `Saved ${JSON.stringify(title)} as ${uri}.`,
    updated: `Replaced ${JSON.stringify(title)} at ${uri}.`,
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

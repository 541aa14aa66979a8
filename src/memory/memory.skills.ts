import { Injectable } from '@nestjs/common';
import {
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { Nested, Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import { OptionalTags } from '../text/tags.schema.js';
import type { MemoryHit, SavedMemory } from './memory-entry.js';
import {
  DEFAULT_NAMESPACE,
  KEY,
  MAX_CONTENT,
  MAX_IMPORTANCE,
  memoryUri,
  NAMESPACE,
  type TwinAdvice,
  twinAdvice,
} from './memory.rules.js';
import { ReadableResources } from '../policy/readable-resources.service.js';
import { MemoryService } from './memory.service.js';

const DEFAULT_HITS = 10;

class MemorySaveInput {
  @Matches(KEY) key!: string;
  @IsString() @MinLength(1) @MaxLength(MAX_CONTENT) content!: string;
  @IsOptional() @Matches(NAMESPACE) namespace?: string;
  @OptionalTags() tags?: string[];
  @IsOptional() @IsInt() @Min(1) @Max(MAX_IMPORTANCE) importance?: number;
  @IsOptional() @IsNumber() @Min(0) @Max(36_500) expires_in_days?: number;
}

class MemorySaveResult {
  @IsString() uri!: string;
  @IsIn(['created', 'updated', 'unchanged']) outcome!: SavedMemory['outcome'];
  @IsInt() version!: number;
  /** When it expires; left out when it never does. */
  @IsOptional() @IsString() expires?: string;
  /** Another entry that says the same. */
  @IsOptional() @IsString() same_as?: string;
  /** Which of the two to remove, so that nothing is lost. */
  @IsOptional() @IsString() hint?: string;
}

@Skill({
  name: 'memory_save',
  title: 'Remember something',
  description:
    'Use this to remember a fact, a preference or a decision for later conversations, also with other assistants. Saving ' +
    'under a key again replaces its content; earlier versions are kept. Keys are lower case, such as deploy-day. ' +
    'It stays for ever unless expires_in_days is given; later saves keep that end, and 0 takes it away. ' +
    `Importance is 1 to 5, by default 3; the namespace is "${DEFAULT_NAMESPACE}" by default. For whole documents use ` +
    'knowledge_save.',
  input: MemorySaveInput,
  output: MemorySaveResult,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class MemorySaveSkill implements SkillHandler<MemorySaveInput> {
  constructor(
    private readonly memory: MemoryService,
    private readonly readable: ReadableResources,
  ) {}

  async execute({ expires_in_days, ...input }: MemorySaveInput, { client }: SkillContext): Promise<SkillResult> {
    const { outcome, entry, twin } = await this.memory.save({
      ...input,
      expiresInDays: expires_in_days === 0 ? null : expires_in_days,
      client: client.name,
      program: client.origin?.program ?? null,
    });
    const saved: MemorySaveResult = { uri: memoryUri(entry), outcome, version: entry.version };
    if (entry.expiresAt) saved.expires = entry.expiresAt.toISOString();
    if (twin && this.readable.mayRead(client, memoryUri(twin))) saved.same_as = memoryUri(twin);
    if (twin && saved.same_as) saved.hint = describeAdvice(twinAdvice(entry, twin));
    return { content: [text(describeSaved(saved))], structuredContent: { ...saved } };
  }
}

/** Says which of two entries to remove, and what to save with the other so that nothing is lost. */
function describeAdvice({ keep, remove, importance, tags }: TwinAdvice): string {
  const ends = remove.expiresAt ? `, which expires on ${remove.expiresAt.toISOString().slice(0, 10)}` : '';
  const changes = [
    ...(importance > keep.importance ? [`importance ${importance}`] : []),
    ...(tags.length > keep.tags.length ? [`the tags ${tags.join(', ')}`] : []),
  ];
  const first = changes.length > 0 ? `save ${memoryUri(keep)} with ${changes.join(' and ')}, and ` : '';
  return `If they mean one thing, ${first}remove ${memoryUri(remove)}${ends}.`;
}

function describeSaved({ uri, outcome, version, expires, same_as: twin, hint }: MemorySaveResult): string {
  const said = {
    created: `Remembered as ${uri}.`,
    updated: `Replaced the content of ${uri}; this is version ${version}.`,
    unchanged: `Nothing changed: ${uri} already has this content.`,
  }[outcome];
  return [
    said,
    ...(expires ? [`It expires on ${expires.slice(0, 10)}; expires_in_days 0 keeps it for ever.`] : []),
    ...(twin && hint ? [`${twin} says the same. ${hint}`] : []),
  ].join(' ');
}

class MemorySearchInput {
  @IsString() @MinLength(1) @MaxLength(1000) query!: string;
  @IsOptional() @Matches(NAMESPACE) namespace?: string;
  @IsOptional() @IsInt() @Min(1) @Max(50) limit?: number;
}

class MemorySearchHit {
  @IsString() uri!: string;
  @IsString() namespace!: string;
  @IsString() key!: string;
  @IsString() content!: string;
  @IsArray() @IsString({ each: true }) tags!: string[];
  @IsInt() importance!: number;
  @IsString() client!: string;
  /** The program that saved it, as it names itself. */
  @IsOptional() @IsString() program?: string;
  @IsString() updated!: string;
}

class MemorySearchResult {
  @Nested(() => MemorySearchHit, { each: true }) hits!: MemorySearchHit[];
}

@Skill({
  name: 'memory_search',
  title: 'Recall something',
  description:
    'Use this to recall what was remembered with memory_save, for example before you ask the user something that may be ' +
    'known. The best match comes first: by its words, then by importance and age. Without a namespace, all are searched.',
  input: MemorySearchInput,
  output: MemorySearchResult,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class MemorySearchSkill implements SkillHandler<MemorySearchInput> {
  constructor(
    private readonly memory: MemoryService,
    private readonly readable: ReadableResources,
  ) {}

  async execute(
    { query, namespace, limit: asked = DEFAULT_HITS }: MemorySearchInput,
    { client }: SkillContext,
  ): Promise<SkillResult> {
    const hits = await this.readable.findFor(client, {
      limit: asked,
      uriOf: ({ entry }: MemoryHit) => memoryUri(entry),
      find: (limit) => this.memory.search({ query, namespace, limit }),
    });
    const found: MemorySearchResult = { hits: hits.map(toSearchHit) };
    return { content: [text(describeHits(query, found))], structuredContent: { ...found } };
  }
}

/** Longer texts are shortened to the part that matches; the whole text is at the URI. */
const SHOWN_WHOLE = 1000;

function toSearchHit({ entry, excerpt }: MemoryHit): MemorySearchHit {
  return {
    uri: memoryUri(entry),
    namespace: entry.namespace,
    key: entry.key,
    content: entry.content.length <= SHOWN_WHOLE ? entry.content : excerpt,
    tags: [...entry.tags],
    importance: entry.importance,
    client: entry.client,
    ...(entry.program !== null && { program: entry.program }),
    updated: entry.updatedAt.toISOString(),
  };
}

function describeHits(query: string, { hits }: MemorySearchResult): string {
  if (hits.length === 0) return `Nothing is remembered about ${JSON.stringify(query)}. Try other or fewer words.`;
  const entries = hits.map(({ uri, content, tags, importance, client, program, updated }, index) => {
    const facts = [
      `importance ${importance}`,
      `saved by ${program === undefined ? client : `${program} (${client})`} on ${updated.slice(0, 10)}`,
    ];
    if (tags.length > 0) facts.push(`tags: ${tags.join(', ')}`);
    return `${index + 1}. ${uri} (${facts.join('; ')})\n   ${content.replaceAll('\n', '\n   ')}`;
  });
  return [`${hits.length} found, the best first:`, ...entries].join('\n\n');
}

class MemoryRemoveInput {
  @Matches(KEY) key!: string;
  @IsOptional() @Matches(NAMESPACE) namespace?: string;
}

@Skill({
  name: 'memory_remove',
  title: 'Forget something',
  description:
    'Use this to forget what was remembered under a key, when it is wrong or the user asks for it. Its earlier versions ' +
    'are deleted too, and this cannot be undone. To correct an entry, use memory_save with its key instead.',
  input: MemoryRemoveInput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class MemoryRemoveSkill implements SkillHandler<MemoryRemoveInput> {
  constructor(private readonly memory: MemoryService) {}

  async execute({ key, namespace = DEFAULT_NAMESPACE }: MemoryRemoveInput): Promise<string> {
    await this.memory.remove(namespace, key);
    return `Forgotten: ${memoryUri({ namespace, key })}.`;
  }
}

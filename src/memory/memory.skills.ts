import { Injectable } from '@nestjs/common';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import { Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
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
import { describeResult, toSearchResult } from './search-result.rules.js';
import { DEFAULT_HITS, MemorySearchInput, MemorySearchResult, SHOWN_WHOLE } from './search.schema.js';

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

@Skill({
  name: 'memory_search',
  title: 'Recall something',
  description:
    'Use this to recall what was remembered with memory_save, for example before you ask the user something that may be ' +
    'known. The best match comes first: by its words, then by importance and age. Without a namespace, all are searched. ' +
    'Entries are returned as they were saved; of a long one, the part that matches best, marked as truncated.',
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
    { query, namespace, limit: asked = DEFAULT_HITS, max_characters: most = SHOWN_WHOLE }: MemorySearchInput,
    { client }: SkillContext,
  ): Promise<SkillResult> {
    const hits = await this.readable.findFor(client, {
      limit: asked,
      uriOf: ({ entry }: MemoryHit) => memoryUri(entry),
      find: (limit) => this.memory.search({ query, namespace, limit }),
    });
    const found = toSearchResult(query, hits, most);
    return { content: [text(describeResult(found))], structuredContent: { ...found } };
  }
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

import { Injectable } from '@nestjs/common';
import { failure, Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import type { MemoryHit } from './memory-entry.js';
import { DEFAULT_NAMESPACE, memoryUri } from './memory.rules.js';
import { BEFORE_WITH_QUERY } from '../../platform/paging/page-cursor.js';
import { IndexBuilding } from '../../platform/service-info/index-building.service.js';
import type { Lack } from '../../platform/text/search-lacks.rules.js';
import { ReadableResources } from '../../access/policy/readable-resources.service.js';
import { MemoryService } from './memory.service.js';
import { toSavedResult } from './save-result.rules.js';
import { MemoryRemoveInput, MemorySaveInput, MemorySaveResult } from './save.schema.js';
import { describeResult, toSearchResult } from './search-result.rules.js';
import { DEFAULT_HITS, MemorySearchInput, MemorySearchResult, SHOWN_WHOLE } from './search.schema.js';

@Skill({
  name: 'memory_save',
  title: 'Remember something (notes, preferences)',
  description:
    'Use this to remember something (a note, a fact, a preference, a decision) for later conversations, also with other ' +
    'assistants. Saving under a key again replaces its content; earlier versions are kept, and tags, importance and expiry ' +
    'stay unless they are given. Returns the URI; when another key says the same, it names it. For whole documents use ' +
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
    const isShown = twin !== null && this.readable.mayRead(client, memoryUri(twin));
    const saved = toSavedResult(outcome, entry, isShown ? twin : null);
    return { content: [text(saved.hint)], structuredContent: { ...saved } };
  }
}

@Skill({
  name: 'memory_search',
  title: 'Recall something (notes, preferences)',
  description:
    'Use this to recall what was remembered with memory_save (notes, preferences, facts), for example before you ask the user ' +
    'something that may be known. The best match comes first: by its words, then by importance and age; without a query, ' +
    'the newest. Entries are returned as they were saved; of a long one, the part that matches best, marked as truncated: ' +
    'read it whole with resource_read before you save it again.',
  input: MemorySearchInput,
  output: MemorySearchResult,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class MemorySearchSkill implements SkillHandler<MemorySearchInput> {
  constructor(
    private readonly memory: MemoryService,
    private readonly readable: ReadableResources,
    private readonly building: IndexBuilding,
  ) {}

  async execute(input: MemorySearchInput, { client, signal }: SkillContext): Promise<SkillResult> {
    const { query, namespace, tags, before, limit: asked = DEFAULT_HITS, max_characters: most = SHOWN_WHOLE } = input;
    if (query !== undefined && before !== undefined) return failure(BEFORE_WITH_QUERY);
    const lacks = query === undefined ? new Set<Lack>() : this.building.lacksOf('memory');
    const { items: hits, hasMore } = await this.readable.findFor(client, {
      limit: asked,
      uriOf: ({ entry }: MemoryHit) => memoryUri(entry),
      find: async (limit) => {
        if (query !== undefined)
          return { items: await this.memory.search({ query, namespace, tags, limit, lacks, signal }), hasMore: false };
        const { items, nextCursor } = await this.memory.listAfter(before, { namespace, tags, limit });
        return { items: items.map((entry) => ({ entry, matches: [], score: 1 })), hasMore: nextCursor !== null };
      },
    });
    const found = toSearchResult(query, hits, { most, hasMore: hasMore && query === undefined, lacks, before });
    return { content: [text(describeResult(found))], structuredContent: { ...found } };
  }
}

@Skill({
  name: 'memory_remove',
  title: 'Forget something remembered',
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

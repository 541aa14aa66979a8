import { Injectable } from '@nestjs/common';
import { failure, Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import type { KnowledgeHit } from './documents/document.js';
import { assertWhole, type WholeChange } from './documents/address.rules.js';
import { documentUri } from './documents/document.rules.js';
import { BEFORE_WITH_QUERY } from '../../platform/paging/page-cursor.js';
import type { Lack } from '../../platform/text/search-lacks.rules.js';
import { IndexBuilding } from '../../platform/service-info/index-building.service.js';
import { ReadableResources } from '../../access/policy/readable-resources.service.js';
import { DocumentNotFound } from './documents/knowledge.errors.js';
import { KnowledgeService } from './knowledge.service.js';
import { DocumentBrowser } from './document-browser.service.js';
import { MAX_PASSAGE } from './passages/cuts.rules.js';
import { savedResult } from './save-result.rules.js';
import {
  KnowledgeSaveInput,
  KnowledgeSaveResult,
  namedAddress,
  NamedDocument,
  requiredAddress,
} from './save.schema.js';
import { describeResult, toSearchResult } from './search-result.rules.js';
import { KEPT_DAYS } from './trash/removed-document.js';
import { DEFAULT_HITS, KnowledgeSearchInput, KnowledgeSearchResult } from './search.schema.js';

/** Characters of a passage in a list without a query. */
const LISTED = 300;

const SAVING: WholeChange = {
  does: 'knowledge_save replaces the whole document',
  forPassage: 'To change only this part, use knowledge_edit',
};
const REMOVING: WholeChange = {
  does: 'knowledge_remove removes the whole document with its history',
  forPassage: 'To take out only this part, use knowledge_edit with new_text ""',
};

@Skill({
  name: 'knowledge_search',
  title: 'Search the knowledge base (docs, wiki)',
  description:
    'Use this to look something up in the knowledge base of the team (docs, documentation, handbook, wiki, runbooks, how-tos, ' +
    'decisions) before you answer from memory; without a query, to see what is newest. Returns the documents that match best, each with its URI and the passage that matched, as it stands in ' +
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
    private readonly browser: DocumentBrowser,
    private readonly readable: ReadableResources,
    private readonly building: IndexBuilding,
  ) {}

  async execute(input: KnowledgeSearchInput, { client, signal }: SkillContext): Promise<SkillResult> {
    const { query, tags, before, limit: asked = DEFAULT_HITS, max_characters: most } = input;
    if (query !== undefined && before !== undefined) return failure(BEFORE_WITH_QUERY);
    const lacks = query === undefined ? new Set<Lack>() : this.building.lacksOf('knowledge');
    const { items: hits, hasMore } = await this.readable.findFor(client, {
      limit: asked,
      uriOf: ({ document }: KnowledgeHit) => documentUri(document.id),
      find: async (limit) => {
        if (query !== undefined)
          return { items: await this.knowledge.search({ query, tags, limit, lacks, signal }), hasMore: false };
        const { hits: items, hasMore: isMore } = await this.browser.newest({ tags, before, limit });
        return { items, hasMore: isMore };
      },
    });
    const found = toSearchResult(query, hits, {
      most: most ?? (query === undefined ? LISTED : MAX_PASSAGE),
      hasMore: hasMore && query === undefined,
      lacks,
      before,
    });
    return { content: [text(describeResult(found))], structuredContent: { ...found } };
  }
}

@Skill({
  name: 'knowledge_save',
  title: 'Save to the knowledge base (docs, wiki)',
  description:
    'Use this to keep a document (docs, wiki page, runbook, how-to, decision, result of research) that the whole team should ' +
    'find later. Content is Markdown; headings make its parts findable. To replace a document, pass its uri: its history ' +
    'keeps the previous version, and its title and tags stay unless they are given. Returns the URI. For a small change use ' +
    'knowledge_edit, for short personal notes memory_save.',
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
    const { title, content, tags, version } = input;
    const address = namedAddress(input);
    if (address) assertWhole(address, SAVING);
    const named = address?.id;
    // The result includes the unchanged title, so the client must be allowed to read it.
    const mayReadTitle =
      named === undefined || title !== undefined || this.readable.mayRead(client, documentUri(named));
    if (!mayReadTitle) throw new DocumentNotFound(named);
    const given = { id: named, title, content, tags, basedOn: version };
    const saved = await this.knowledge.save({ ...given, source: client.name });
    const sameTitle = (await this.knowledge.listIdsByTitle(saved.document.title)).filter(
      (id) => id !== saved.document.id,
    );
    const others = sameTitle.map(documentUri).filter((uri) => this.readable.mayRead(client, uri));
    return savedResult({ ...saved, others });
  }
}

@Skill({
  name: 'knowledge_remove',
  title: 'Remove from the knowledge base (docs, wiki)',
  description:
    'Use this to delete a wrong or outdated document from the knowledge base (docs, wiki, handbook), by its uri or its id. ' +
    `Nobody finds it any more; for ${KEPT_DAYS} days, knowledge_restore brings it back with its history. To correct a document ` +
    'use knowledge_edit or knowledge_save instead.',
  input: NamedDocument,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class KnowledgeRemoveSkill implements SkillHandler<NamedDocument> {
  constructor(private readonly knowledge: KnowledgeService) {}

  async execute(input: NamedDocument, { client }: SkillContext): Promise<string> {
    const address = requiredAddress(input);
    assertWhole(address, REMOVING);
    const { id } = address;
    await this.knowledge.remove(id, { by: client.name });
    return `Removed ${documentUri(id)}. For ${KEPT_DAYS} days, knowledge_restore brings it back with its history.`;
  }
}

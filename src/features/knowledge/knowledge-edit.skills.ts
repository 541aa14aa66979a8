import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler, type SkillResult } from '#skill-kit';
import { ReadableResources } from '../../access/policy/readable-resources.service.js';
import type { SavedDocument } from './documents/document.js';
import { documentIdOf, documentUri } from './documents/document.rules.js';
import { edited } from './documents/edit.rules.js';
import { DocumentMovedOn, DocumentNotFound, EditRefused } from './documents/knowledge.errors.js';
import { KnowledgeService } from './knowledge.service.js';
import { savedResult } from './save-result.rules.js';
import { KnowledgeEditInput, KnowledgeSaveResult, requiredId } from './save.schema.js';

// Somebody who adds a section gives the passages after it other numbers.
const WHICH_VERSION =
  'version is missing: give it with passage_uri, as knowledge_search names both, because the passages may have moved since; or give old_text alone';
const PASSAGE = /#passage-([1-9]\d{0,5})$/;
/** How often an edit begins again when somebody else has changed the document in the meantime. */
const MOST_ATTEMPTS = 10;

@Skill({
  name: 'knowledge_edit',
  title: 'Edit a document of the knowledge base',
  description:
    'Use this for a small change of a document of the knowledge base (docs, wiki, handbook, runbook): it replaces one exact ' +
    'text, replaces one passage, or adds to the end, and leaves the rest as it is. Give new_text with old_text, or with ' +
    'passage_uri and version; or append. Nothing is changed when old_text is not there, or there several times. The ' +
    'history of the document keeps the previous version. To replace the whole text use knowledge_save.',
  input: KnowledgeEditInput,
  output: KnowledgeSaveResult,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
})
@Injectable()
export class KnowledgeEditSkill implements SkillHandler<KnowledgeEditInput> {
  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly readable: ReadableResources,
  ) {}

  async execute(input: KnowledgeEditInput, { client }: SkillContext): Promise<SkillResult> {
    const id = idOf(input);
    // Its errors tell what a document says.
    if (!this.readable.mayRead(client, documentUri(id))) throw new DocumentNotFound(id);
    if (input.passage_uri !== undefined && input.version === undefined) throw new EditRefused(WHICH_VERSION);
    const saved = await this.edit(id, input, client.name);
    return savedResult({ ...saved, others: [] });
  }

  private async edit(id: string, input: KnowledgeEditInput, source: string, attempt = 1): Promise<SavedDocument> {
    const before = await this.knowledge.get(id);
    const content = edited(before.content, {
      passage: await this.passageOf(id, input.passage_uri),
      oldText: input.old_text ?? null,
      newText: input.new_text ?? null,
      append: input.append ?? null,
    });
    if (content.trim() === '') throw new EditRefused('nothing of the document would be left: use knowledge_remove');
    try {
      return await this.knowledge.save({ id, content, basedOn: input.version ?? before.version, source });
    } catch (error) {
      if (!(error instanceof DocumentMovedOn) || input.version !== undefined || attempt === MOST_ATTEMPTS) throw error;
      return this.edit(id, input, source, attempt + 1);
    }
  }

  private async passageOf(id: string, uri: string | undefined) {
    if (uri === undefined) return null;
    const [, number] = PASSAGE.exec(uri) ?? [];
    const found = number === undefined ? undefined : await this.knowledge.findPassage(id, Number(number) - 1);
    if (!found) throw new EditRefused(`there is no passage ${JSON.stringify(uri)}: take it from knowledge_search`);
    return found.passage;
  }
}

function idOf(input: KnowledgeEditInput): string {
  const { uri, id, passage_uri: passage } = input;
  if (passage === undefined) return requiredId(input);
  const named = documentIdOf(passage);
  if (uri !== undefined || id !== undefined) {
    if (requiredId(input) !== named) throw new EditRefused('passage_uri is a passage of another document');
  }
  return named;
}

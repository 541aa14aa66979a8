import { Injectable } from '@nestjs/common';
import { Skill, type SkillContext, type SkillHandler, type SkillResult } from '#skill-kit';
import { ReadableResources } from '../../access/policy/readable-resources.service.js';
import type { SavedDocument } from './documents/document.js';
import { type DocumentAddress, documentAddress } from './documents/address.rules.js';
import { documentUri } from './documents/document.rules.js';
import { edited } from './documents/edit.rules.js';
import { DocumentConflict, DocumentNotFound, EditRefused } from './documents/knowledge.errors.js';
import { KnowledgeService } from './knowledge.service.js';
import { savedResult } from './save-result.rules.js';
import { KnowledgeEditInput, KnowledgeSaveResult, requiredAddress } from './save.schema.js';

// Adding a section changes the numbers of the passages after it.
const WHICH_VERSION =
  'version is missing: give it with the address of a passage, as knowledge_search names both, because the passages may have moved since; or give old_text with the address of the document';
/** How often an edit is retried after concurrent changes of the document. */
const MOST_ATTEMPTS = 10;

@Skill({
  name: 'knowledge_edit',
  title: 'Edit a document of the knowledge base',
  description:
    'Use this for a small change of a document of the knowledge base (docs, wiki, handbook, runbook): it replaces one exact ' +
    'text, replaces one passage, or adds to the end, and leaves the rest as it is. Give new_text with old_text, or with ' +
    'passage_uri and version; or append. With passage_uri, nothing outside of that passage changes. Nothing is changed when ' +
    'old_text is not there, or there several times. The ' +
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
    const address = editedAddress(input);
    // The errors below reveal the content of a document.
    if (!this.readable.mayRead(client, documentUri(address.id))) throw new DocumentNotFound(address.id);
    if (address.part === 'passage' && input.version === undefined) throw new EditRefused(WHICH_VERSION);
    const saved = await this.edit(address, input, client.name);
    return savedResult({ ...saved, others: [] });
  }

  private async edit(
    address: DocumentAddress,
    input: KnowledgeEditInput,
    source: string,
    attempt = 1,
  ): Promise<SavedDocument> {
    const { id } = address;
    const before = await this.knowledge.get(id);
    // Check this first: otherwise the error would be about a text that only the other version has.
    if (input.version !== undefined && input.version !== before.version)
      throw new DocumentConflict(before, input.version);
    const content = edited(before.content, {
      passage: await this.passageOf(address),
      oldText: input.old_text ?? null,
      newText: input.new_text ?? null,
      append: input.append ?? null,
    });
    if (content.trim() === '') throw new EditRefused('nothing of the document would be left: use knowledge_remove');
    try {
      return await this.knowledge.save({ id, content, basedOn: input.version ?? before.version, source });
    } catch (error) {
      if (!(error instanceof DocumentConflict) || input.version !== undefined || attempt === MOST_ATTEMPTS) throw error;
      return this.edit(address, input, source, attempt + 1);
    }
  }

  private async passageOf({ id, passage, written }: DocumentAddress) {
    if (passage === null) return null;
    const found = await this.knowledge.findPassage(id, passage - 1);
    if (!found) throw new EditRefused(noPassage(written));
    return found.passage;
  }
}

/** Returns the address of the document or passage to edit. @throws EditRefused, InvalidDocument */
function editedAddress(input: KnowledgeEditInput): DocumentAddress {
  const { uri, id, passage_uri } = input;
  if (passage_uri === undefined) return editable(requiredAddress(input));
  const address = documentAddress(passage_uri);
  if (address.part !== 'passage') throw new EditRefused(noPassage(passage_uri));
  if (uri === undefined && id === undefined) return address;
  const named = editable(requiredAddress(input));
  if (named.id !== address.id) throw new EditRefused('passage_uri is a passage of another document');
  if (named.passage !== null && named.passage !== address.passage)
    throw new EditRefused('uri and passage_uri name two passages: give one of them');
  return address;
}

function editable(address: DocumentAddress): DocumentAddress {
  if (address.part === 'whole' || address.part === 'passage') return address;
  throw new EditRefused(
    `${JSON.stringify(address.written)} is neither a document nor a passage: give ${documentUri(address.id)}, or the address of a passage, as knowledge_search returns it`,
  );
}

const noPassage = (written: string): string =>
  `there is no passage ${JSON.stringify(written)}: take it from knowledge_search`;

import { Injectable } from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';
import { Skill, type SkillContext, type SkillHandler, type SkillResult, text } from '#skill-kit';
import { Text } from '../../core/skills/skill-fields.decorators.js';
import { ReadableResources } from '../../access/policy/readable-resources.service.js';
import { assertWhole, type WholeChange } from './documents/address.rules.js';
import { documentUri } from './documents/document.rules.js';
import { RemovedDocumentNotFound } from './documents/knowledge.errors.js';
import { namedAddress, NamedDocument } from './save.schema.js';
import { KnowledgeTrash } from './trash/knowledge-trash.service.js';
import { KEPT_DAYS, type RemovedDocument, type RestoredDocument } from './trash/removed-document.js';

const RESTORING: WholeChange = {
  does: 'knowledge_restore brings back a whole document with its history',
  forPassage: 'Afterwards, resource_read reads the part',
};
/** Removed documents that are checked, and named, when there is none at the address. */
const [MOST_SEARCHED, NAMED] = [50, 5];

class KnowledgeRestoreResult {
  @Text('Where the document is now.')
  uri!: string;

  @IsString() id!: string;
  @IsString() title!: string;
  @IsInt() version!: number;
  @Text('What was done, and what to do next.')
  hint!: string;
}

@Skill({
  name: 'knowledge_restore',
  title: 'Restore to the knowledge base (docs, wiki)',
  description:
    'Use this to undo knowledge_remove: it brings a removed document of the knowledge base (docs, wiki, handbook) back as it ' +
    `was, with its history, by the uri or the id that it had. Removed documents are kept for ${KEPT_DAYS} days. If another document ` +
    'has the address by now, this one gets a new address, which the result names. If there is no such removed document, the ' +
    'error lists those that were removed last.',
  input: NamedDocument,
  output: KnowledgeRestoreResult,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
})
@Injectable()
export class KnowledgeRestoreSkill implements SkillHandler<NamedDocument> {
  constructor(
    private readonly trash: KnowledgeTrash,
    private readonly readable: ReadableResources,
  ) {}

  async execute(input: NamedDocument, { client }: SkillContext): Promise<SkillResult> {
    const address = namedAddress(input);
    if (address) assertWhole(address, RESTORING);
    const mayRead = (id: string) => this.readable.mayRead(client, documentUri(id));
    const removed = address && mayRead(address.id) ? await this.trash.findLatest(address.id) : undefined;
    if (!removed) {
      const { items } = await this.trash.listPage({ limit: MOST_SEARCHED });
      const others = items.filter(({ documentId }) => mayRead(documentId)).slice(0, NAMED);
      throw new RemovedDocumentNotFound(address?.id ?? null, others.map(nameOf));
    }
    const restored = await this.trash.restore(removed.id);
    const { id, title, version } = restored.document;
    const saved: KnowledgeRestoreResult = { uri: documentUri(id), id, title, version, hint: hintOf(restored) };
    return { content: [text(saved.hint)], structuredContent: { ...saved } };
  }
}

const nameOf = ({ documentId, title, removedAt }: RemovedDocument): string =>
  `${documentUri(documentId)} (${JSON.stringify(title)}, ${removedAt.toISOString()})`;

function hintOf({ document: { id, title, version, path }, removed }: RestoredDocument): string {
  const done = `Restored ${JSON.stringify(title)} at ${documentUri(id)} (id ${id}, version ${version}, earlier versions: ${removed.versions}).`;
  const moved =
    id === removed.documentId
      ? ''
      : ` Another document has its former address ${documentUri(removed.documentId)}: compare them, and remove what is not needed.`;
  const isUnlinked = removed.path !== null && path === null;
  const unlinked = isUnlinked ? ` Imports of ${removed.path} go on with another document.` : '';
  return done + moved + unlinked;
}

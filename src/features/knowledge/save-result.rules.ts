import { type SkillResult, text } from '#skill-kit';
import type { SavedDocument } from './documents/document.js';
import { documentUri, versionUri } from './documents/document.rules.js';
import type { KnowledgeSaveResult } from './save.schema.js';

/** Returns the result of a call that saved a document. @param others URIs of other documents with the same title */
export function savedResult({ document, outcome, others }: SavedDocument & { others: string[] }): SkillResult {
  const { id, title, version } = document;
  const uri = documentUri(id);
  const name = JSON.stringify(title);
  const done = {
    created: `Saved ${name} as ${uri} (created; id ${id}, version ${version}).`,
    updated: `Replaced ${name} at ${uri} (updated; id ${id}): it is version ${version} now; ${versionUri(id, version - 1)} is the previous one.`,
    unchanged: `Nothing changed: ${uri} already has this content (${name}, unchanged; id ${id}, version ${version}).`,
  }[outcome];
  const twins =
    others.length === 0
      ? ''
      : ` Other documents have the same title: ${others.join(', ')}. To change one of them instead, save with its uri and remove this one.`;
  const saved: KnowledgeSaveResult = { uri, id, title, version, outcome, sameTitle: others, hint: done + twins };
  return { content: [text(saved.hint)], structuredContent: { ...saved } };
}

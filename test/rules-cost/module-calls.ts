import * as output from '../../src/features/modules/calls/module-output.rules.js';
import * as approval from '../../src/features/modules/declared/approval.rules.js';
import * as declaration from '../../src/features/modules/declared/declaration.rules.js';
import type { DeclaredSkill, ModuleVersion, SkillModule } from '../../src/features/modules/declared/module.js';
import type { Entry } from './entry.js';

const LIST = 50;
const at = new Date(0);
const declared = (text: string): DeclaredSkill => ({
  ...{ name: 'a', title: null, description: text, input: null, output: null, annotations: {}, tags: [text] },
  uses: { hosts: text.split(/[\s.]/, LIST), skills: text.split(' ', LIST), secrets: [text], state: true },
});
const versionOf = (version: number, text: string): ModuleVersion => ({
  ...{ version, digest: '', savedAt: at, savedBy: null },
  skills: [declared(text)],
});
const moduleOf = (text: string): SkillModule => ({
  ...{ name: 'a', file: 'a.js', source: 'upload', enabled: true, problem: null, updatedAt: at, updatedBy: null },
  newest: versionOf(2, text),
  approved: versionOf(1, `${text} b`),
});
const skillOf = (more: object) => JSON.stringify([{ name: 'a', description: 'b', ...more }]);

export const MODULE_RULES: Record<string, Record<string, Entry>> = {
  'src/features/modules/declared/approval.rules.ts': {
    usesOf: (text) => approval.usesOf([declared(text)]),
    offeredVersion: (text) => approval.offeredVersion(moduleOf(text), 'uses'),
    isWaiting: (text) => approval.isWaiting(moduleOf(text), 'uses'),
  },
  'src/features/modules/declared/declaration.rules.ts': {
    readDeclaration: [
      (text) => declaration.readDeclaration(JSON.stringify([text])),
      (text) => declaration.readDeclaration(skillOf({ name: text })),
      (text) => declaration.readDeclaration(skillOf({ description: text, tags: [text] })),
      (text) =>
        declaration.readDeclaration(skillOf({ input: { type: 'object', properties: { [text]: { pattern: text } } } })),
      (text) => declaration.readDeclaration(skillOf({ uses: { hosts: [text], skills: [text], secrets: [text] } })),
    ],
  },
  'src/features/modules/calls/module-output.rules.ts': {
    readOutput: [
      (text) => output.readOutput(JSON.stringify({ output: text })),
      (text) => output.readOutput(JSON.stringify({ output: { content: [{ type: text }] } })),
      (text) =>
        output.readOutput(JSON.stringify({ questions: { [text]: { message: text, schema: { type: 'object' } } } })),
    ],
    answersOf: (text) => output.answersOf({ [text]: { action: 'accept', content: { a: text } } }),
  },
};

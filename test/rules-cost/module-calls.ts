import * as syntaxPlace from '../../libs/skill-host/src/syntax-place.rules.js';
import * as address from '../../src/features/modules/calls/database-address.rules.js';
import * as output from '../../src/features/modules/calls/module-output.rules.js';
import * as approval from '../../src/features/modules/declared/approval.rules.js';
import * as declaration from '../../src/features/modules/declared/declaration.rules.js';
import * as settings from '../../src/features/modules/declared/settings.rules.js';
import type {
  DeclaredSetting,
  DeclaredSkill,
  ModuleVersion,
  SkillModule,
} from '../../src/features/modules/declared/module.js';
import type { Entry } from './entry.js';

const LIST = 50;
const at = new Date(0);
const settingOf = (text: string): DeclaredSetting => ({
  ...{ name: text, type: 'string', description: text, default: null, minimum: null, maximum: null },
  enum: text.split(' ', LIST),
});
const declared = (text: string): DeclaredSkill => ({
  ...{ name: 'a', title: null, description: text, input: null, output: null, annotations: {}, tags: [text] },
  uses: {
    hosts: text.split(/[\s.]/, LIST),
    skills: text.split(' ', LIST),
    secrets: [text],
    databases: [text],
    state: true,
  },
  settings: [settingOf(text)],
});
const versionOf = (version: number, text: string): ModuleVersion => ({
  ...{ version, digest: '', savedAt: at, savedBy: null },
  skills: [declared(text)],
});
const moduleOf = (text: string): SkillModule => ({
  ...{
    name: 'a',
    file: 'a.js',
    source: 'upload',
    enabled: true,
    problem: null,
    createdAt: at,
    updatedAt: at,
    updatedBy: null,
  },
  given: { values: {}, version: 0 },
  newest: versionOf(2, text),
  approved: versionOf(1, `${text} b`),
});
const skillOf = (more: object) => JSON.stringify([{ name: 'a', description: 'b', ...more }]);

const TWICE = "Identifier 'a' has already been declared";

const ignore = (): void => undefined;

export const MODULE_RULES: Record<string, Record<string, Entry>> = {
  'libs/skill-host/src/syntax-place.rules.ts': {
    lineOf: ['', 'import\n', 'export {\n'].map(
      (begun) => (text) => syntaxPlace.lineOf(TWICE, begun.repeat(text.length / 8) + text),
    ),
  },
  'src/features/modules/calls/database-address.rules.ts': {
    databaseAddressIn: [
      (text) => address.databaseAddressIn(`postgresql://${text}`),
      (text) => address.databaseAddressIn(`postgresql://a/b?${text}`),
    ],
  },
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
  'src/features/modules/declared/settings.rules.ts': {
    settingsIn: [
      (text) => settings.settingsIn({ [text]: { type: 'string' } }, ignore),
      (text) =>
        settings.settingsIn({ a: { type: 'string', description: text, [text]: text, enum: [text, text] } }, ignore),
    ],
    problemsOfSettings: (text) => settings.problemsOfSettings([declared(text), declared(`${text}.`)]),
    settingsOf: (text) => settings.settingsOf([declared(text)]),
    valuesFor: (text) => settings.valuesFor([settingOf(text)], { [text]: text }),
    fittingValues: (text) => settings.fittingValues([settingOf(text)], { [text]: text }),
    misfitsOf: (text) => settings.misfitsOf([settingOf(text)], { [text]: text }),
    problemsOfValues: (text) => settings.problemsOfValues([settingOf(text)], { [text]: text, a: text }),
    schemaOfSettings: (text) => settings.schemaOfSettings([settingOf(text)]),
    problemOf: (text) => settings.problemOf(settingOf(text), text),
  },
  'src/features/modules/calls/module-output.rules.ts': {
    readOutput: [
      (text) => output.readOutput(JSON.stringify({ output: text })),
      (text) => output.readOutput(JSON.stringify({ output: { content: [{ type: text }] } })),
      (text) =>
        output.readOutput(JSON.stringify({ questions: { [text]: { message: text, schema: { type: 'object' } } } })),
    ],
  },
};

import * as preview from '../../src/features/packages/editing/package-preview.rules.js';
import * as written from '../../src/features/packages/editing/written-package.rules.js';
import * as frontmatter from '../../src/features/packages/files/frontmatter.rules.js';
import * as check from '../../src/features/packages/files/package-check.rules.js';
import * as difference from '../../src/features/packages/files/package-difference.rules.js';
import * as draft from '../../src/features/packages/files/package-draft.rules.js';
import * as links from '../../src/features/packages/files/package-links.rules.js';
import * as paths from '../../src/features/packages/files/package-path.rules.js';
import * as texts from '../../src/features/packages/files/package-text.rules.js';
import * as skillFile from '../../src/features/packages/files/skill-file.rules.js';
import * as shared from '../../src/features/packages/sharing/skills-index.rules.js';
import * as upload from '../../src/features/packages/upload/package-upload.rules.js';
import type { Entry } from './entry.js';

const file = (path: string, content = '') => ({ path, bytes: Buffer.from(content), digest: '' });
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text));
const listed = (path: string) => ({ path, size: 1, digest: '', mimeType: '' });
const head = '---\nname: a\ndescription: b\n';

export const PACKAGE_RULES: Record<string, Record<string, Entry>> = {
  'src/features/packages/files/frontmatter.rules.ts': {
    // Its callers pass at most this much.
    readFields: (text) => frontmatter.readFields(text.slice(0, 8 * 1024), 2),
  },
  'src/features/packages/files/skill-file.rules.ts': {
    isPackageName: (text) => skillFile.isPackageName(text),
    readSkillFile: [
      (text) => skillFile.readSkillFile(text),
      (text) => skillFile.readSkillFile(`---\n${text}`),
      (text) => skillFile.readSkillFile(`${head}---\n${text}`),
      (text) => skillFile.readSkillFile(`${head}metadata:\n  arguments: ${JSON.stringify(text)}\n---\n`),
    ],
    instructionsIn: [
      (text) => skillFile.instructionsIn(text),
      (text) => skillFile.instructionsIn(`${head}---\n${text}`),
    ],
    nameIn: [(text) => skillFile.nameIn(text), (text) => skillFile.nameIn(`name: ${text}`)],
    factsOf: [
      (text) => skillFile.factsOf({ metadata: { tags: text } }),
      (text) => skillFile.factsOf({ metadata: { arguments: text } }),
    ],
  },
  'src/features/packages/files/package-check.rules.ts': {
    checkPackage: [
      (text) => check.checkPackage('a', [file('SKILL.md', text)]),
      (text) => check.checkPackage(text, [file('SKILL.md', `${head}---\n`), file(text), file(text, text)]),
      (text) =>
        check.checkPackage(
          'a',
          text
            .split('')
            .slice(0, 20_000)
            .map((one) => file(one)),
        ),
    ],
    digestOf: (text) => check.digestOf(Buffer.from(text)),
    judgePackage: [
      (text) => check.judgePackage('a', bytesOf(`${head}---\n${text}`), [listed('SKILL.md')]),
      (text) => check.judgePackage(null, bytesOf(text), text.split('').slice(0, 20_000).map(listed)),
    ],
    limitProblems: (text) => check.limitProblems(text, [listed('a')]),
    skillFileProblem: (text) => check.skillFileProblem([text, 'a']),
    textOf: (text) => check.textOf(Buffer.from(text)),
    isTextual: (text) => check.isTextual(Buffer.from(text)),
  },
  'src/features/packages/files/package-links.rules.ts': {
    linkProblems: [
      (text) => links.linkProblems(text, [{ path: text }]),
      (text) => links.linkProblems(`[a](${text})`, [{ path: 'a/b' }]),
      (text) => links.linkProblems(`[a]: <${text}>`, [{ path: text.replaceAll(' ', '/') }]),
    ],
  },
  'src/features/packages/editing/written-package.rules.ts': {
    judgeDraft: [
      (text) => written.judgeDraft({ name: null, skillFile: text, files: [] }),
      (text) => written.judgeDraft({ name: text, skillFile: `${head}---\n${text}`, files: [listed(text)] }),
    ],
    checkWritten: (text) => written.checkWritten({ name: text, files: [file('SKILL.md', text), file(text)] }),
    packVersion: (text) => written.packVersion({ prefix: '', files: [file('SKILL.md', text)] }),
  },
  'src/features/packages/sharing/skills-index.rules.ts': {
    skillsIndexOf: (text) =>
      shared.skillsIndexOf([{ name: 'a', description: text, files: [listed(text)], digest: '' }]),
    filesIndexOf: (text) => shared.filesIndexOf([{ name: 'a', description: text, files: [listed(text)] }]),
  },
  'src/features/packages/editing/package-preview.rules.ts': {
    previewOf: (text) =>
      preview.previewOf({
        frontmatter: { name: 'a', description: text, metadata: { arguments: 'b, c?' } },
        skillFile: `${head}---\n${text}`,
        files: [listed('SKILL.md'), listed(text)],
        listed: [{ name: 'a', description: text }],
        room: 2_000,
      }),
  },
  'src/features/packages/files/package-draft.rules.ts': {
    skillFileOf: (text) =>
      draft.skillFileOf(null, { name: 'a', description: text.slice(0, 1_024), instructions: text }),
    withWritten: (text) => draft.withWritten([{ ...file('a'), digest: '' }], [{ path: text.slice(0, 1_000), text }]),
  },
  'src/features/packages/files/package-difference.rules.ts': {
    differencesOf: (text) => difference.differencesOf(text.split('').map(listed), [listed(text)]),
  },
  'src/features/packages/upload/package-upload.rules.ts': {
    checkUpload: [
      (text) => upload.checkUpload({ file: text, bytes: bytesOf(text) }),
      (text) => upload.checkUpload({ file: 'a.md', bytes: bytesOf(text) }),
      (text) => upload.checkUpload({ file: 'a.zip', bytes: bytesOf(`PK\x03\x04${text}`) }),
    ],
  },
  'src/features/packages/files/package-path.rules.ts': {
    pathProblem: (text) => paths.pathProblem(text),
    pathKey: (text) => paths.pathKey(text),
    composed: (text) => paths.composed(text),
    isHidden: (text) => paths.isHidden(text),
    packageUri: (text) => paths.packageUri('a', text.toWellFormed()),
    parsePackageUri: [(text) => paths.parsePackageUri(text), (text) => paths.parsePackageUri(`skill://a/${text}`)],
    mimeTypeOf: (text) => paths.mimeTypeOf(text, true),
  },
  'src/features/packages/files/package-text.rules.ts': {
    shortDescription: (text) => texts.shortDescription(text, 90),
    describeFiles: (text) => texts.describeFiles(text, [listed(text), listed('a')]),
    promptText: (text) => texts.promptText({ name: 'a', files: [listed(text)] }, text, { [text]: text }),
    lineOfPackage: (text) => texts.lineOfPackage({ name: 'a', description: text }),
    readableText: (text) => texts.readableText('a', 'b', text),
    describePackages: (text) => texts.describePackages([{ name: text, description: text }], 2_000),
  },
};

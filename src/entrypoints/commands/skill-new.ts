import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { parseEnvironment } from '../../platform/environment/environment.js';
import { IS_CLONE, PROJECT_ROOT } from '../../platform/environment/project-root.js';
import { InvalidModuleFile } from '../../features/modules/modules.errors.js';
import { MODULE_NAME } from '../../features/modules/declared/module.js';
import { run } from './command.js';
import { FileExists } from './commands.errors.js';
import { usageAsCalled } from './usage.rules.js';

const asCalled = (usage: string): string => usageAsCalled(usage, IS_CLONE);

const exampleOf = (
  name: string,
) => `// A skill module: the service offers it as the tool ${name} as long as this file is here.
// Try it: ${asCalled(`npm run skill:try -- <this file> --input '{"text":"one two"}'`)}
import { skill } from 'agent-service/skill';

interface Input {
  text: string;
}

export default skill<Input>({
  name: '${name}',
  title: 'Count words',
  description: 'Use this to count the words and the characters of a text.',
  input: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The text.' } },
    required: ['text'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },

  execute({ text }) {
    return { words: text.split(/\\s+/).filter(Boolean).length, characters: [...text].length };
  },
});
`;

const testOf = (name: string) => `// Run it: ${asCalled('npm run skill:test -- <this file>')}
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { callSkill } from 'agent-service/skill-test';

const module = new URL('./${name}.ts', import.meta.url);

test('counts words and characters', async () => {
  const { structuredContent } = await callSkill(module, { text: 'one  two' });
  deepEqual(structuredContent, { words: 2, characters: 8 });
});

test('says what is missing', async () => {
  const { isError, content } = await callSkill(module, {});
  equal(isError, true);
  match(content[0]?.text ?? '', /missing required property "text"/);
});
`;

/** What the service loads, for editors: types are stripped, and imports name the extension. */
function tsconfigIn(folder: string): string {
  const types = IS_CLONE
    ? { skill: 'libs/skill-host/src/kit.ts', 'skill-test': 'src/features/modules/trial/skill-test.d.ts' }
    : { skill: 'skill.d.ts', 'skill-test': 'skill-test.d.ts' };
  const pathTo = (file: string) => {
    const path = relative(folder, join(PROJECT_ROOT, file)).replaceAll('\\', '/');
    return path.startsWith('.') || isAbsolute(path) ? path : `./${path}`;
  };
  const compilerOptions = {
    module: 'preserve',
    target: 'esnext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    paths: Object.fromEntries(Object.entries(types).map(([name, file]) => [`agent-service/${name}`, [pathTo(file)]])),
  };
  return `${JSON.stringify({ compilerOptions }, null, 2)}\n`;
}

async function write(path: string, text: string): Promise<void> {
  // Never overwrite a file.
  await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new FileExists(path) : error;
  });
}

await run(
  { usage: 'npm run skill:new -- <name>', operands: ['name'], options: {} },
  async ({ operands: [name = ''] }) => {
    if (!MODULE_NAME.test(name)) throw new InvalidModuleFile();
    const folder = parseEnvironment(process.env).SKILLS_DIR;
    const files = [join(folder, `${name}.ts`), join(folder, `${name}.test.ts`)] as const;
    await mkdir(folder, { recursive: true });
    await write(files[0], exampleOf(name));
    await write(files[1], testOf(name));
    const tsconfig = join(folder, 'tsconfig.json');
    if (!existsSync(tsconfig)) await write(tsconfig, tsconfigIn(folder));
    return `${files[0]} is a skill that works, and ${files[1]} tests it. A service that runs offers it in a second.`;
  },
);

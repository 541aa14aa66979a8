import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { JsonObject } from '../json.js';
import { diagramOf } from './diagram.js';
import { type Mutation, mutationsOf } from './mutations.testing.js';
import { parseWorkflow } from './parse-workflow.js';
import type { DefinitionProblem } from './problem.js';
import { EVERYTHING } from './testing.js';
import { workflowSchema } from './workflow-schema.js';

const OPTIONS = { knowsFunction: () => true };
const fits = new Ajv2020({ strict: false }).compile(workflowSchema());
const whole = parse(EVERYTHING) as JsonObject;
const mutations = mutationsOf(whole);
const PARTS = [0, 1, 2, 3];

const isError = ({ severity }: DefinitionProblem): boolean => severity === 'error';

/** Returns what is wrong with the verdict on a mutation; null when it is right. */
async function misjudgement({ title, document }: Mutation): Promise<string | null> {
  const text = JSON.stringify(document, null, 1);
  const lines = text.split('\n');
  const { definition, problems } = await parseWorkflow(text, OPTIONS);
  const errors = problems.filter(isError);
  if (errors.length > 0 !== (definition === null)) return 'it has a definition and errors, or neither';
  if (errors.length === 0 && !fits(document)) return 'the JSON Schema for editors refuses it';
  if (title.endsWith('renamed') && errors.length > 1) return `one mistake gives ${errors.length} errors`;
  if (definition && !diagramOf(definition).startsWith('flowchart TD\n')) return 'it cannot be drawn';
  const astray = problems.find(({ line, column, path }) => {
    const isInText = line >= 1 && column >= 1 && column <= (lines[line - 1]?.length ?? -1) + 1;
    return !isInText || (path !== '' && !path.startsWith('/'));
  });
  return astray ? `${astray.path} ${astray.line}:${astray.column} is no place of the text` : null;
}

describe('a workflow with one thing changed', () => {
  it('is made in hundreds of ways', () => {
    expect(fits(whole)).toBe(true);
    expect(mutations.length).toBeGreaterThan(900);
  });

  it.each(PARTS)(
    'is refused when it is wrong, once for each misspelt name, at a place of the text (%i)',
    async (part) => {
      const misjudged: string[] = [];
      for (const mutation of mutations.filter((_, index) => index % PARTS.length === part)) {
        const problem = await misjudgement(mutation);
        if (problem !== null) misjudged.push(`${mutation.title}: ${problem}`);
      }
      expect(misjudged).toEqual([]);
    },
  );

  it('that is nothing but part of the text never makes it throw', async () => {
    for (let end = 0; end < EVERYTHING.length; end += 31) {
      const { definition, problems } = await parseWorkflow(EVERYTHING.slice(0, end), OPTIONS);
      expect([end, definition === null]).toEqual([end, problems.some(isError)]);
    }
  });
});

import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse, stringify } from 'yaml';
import type { JsonObject } from '../json.js';
import { diagramOf } from './diagram.js';
import { mutationsOf } from './mutations.testing.js';
import { parseWorkflow } from './parse-workflow.js';
import { EVERYTHING } from './testing.js';
import { workflowSchema } from './workflow-schema.js';

const OPTIONS = { knowsFunction: () => true };
const fits = new Ajv2020({ strict: false }).compile(workflowSchema());
const whole = parse(EVERYTHING) as JsonObject;
const mutations = mutationsOf(whole);

describe('a workflow with one thing changed', () => {
  it('is made in thousands of ways', () => {
    expect(fits(whole)).toBe(true);
    expect(mutations.length).toBeGreaterThan(1000);
  });

  it('is refused when the JSON Schema for editors refuses it, and every problem is at a place of the text', async () => {
    const missed: string[] = [];
    const astray: string[] = [];
    for (const { title, document } of mutations) {
      const text = stringify(document, { aliasDuplicateObjects: false });
      const lines = text.split('\n');
      const { definition, problems } = await parseWorkflow(text, OPTIONS);
      const hasErrors = problems.some(({ severity }) => severity === 'error');
      if (hasErrors !== (definition === null) || (!hasErrors && !fits(document))) missed.push(title);
      for (const { line, column, path } of problems) {
        const isInText =
          line >= 1 && line <= lines.length && column >= 1 && column <= (lines[line - 1] ?? '').length + 1;
        if (!isInText || (path !== '' && !path.startsWith('/'))) astray.push(`${title}: ${path} ${line}:${column}`);
      }
      if (definition) expect(diagramOf(definition)).toMatch(/^flowchart TD\n/);
    }
    expect({ missed, astray }).toEqual({ missed: [], astray: [] });
  });

  it('has one error for each name that is misspelt', async () => {
    const many: string[] = [];
    for (const { title, document } of mutations.filter(({ title: one }) => one.endsWith(' renamed'))) {
      const { problems } = await parseWorkflow(stringify(document, { aliasDuplicateObjects: false }), OPTIONS);
      const errors = problems.filter(({ severity }) => severity === 'error');
      if (errors.length > 1)
        many.push(`${title}: ${errors.map(({ path, message }) => `${path} ${message}`).join(' | ')}`);
    }
    expect(many).toEqual([]);
  });

  it('that is nothing but part of the text never makes it throw', async () => {
    for (let end = 0; end < EVERYTHING.length; end += 31) {
      const { definition, problems } = await parseWorkflow(EVERYTHING.slice(0, end), OPTIONS);
      const hasErrors = problems.some(({ severity }) => severity === 'error');
      expect([end, definition === null]).toEqual([end, hasErrors]);
    }
  });
});

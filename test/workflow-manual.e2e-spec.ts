import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { SERVICE_EVENT_TYPES } from '../src/features/workflows/runs/events/event-types.js';
import { TestService } from './support/service.js';

const MANUAL = readFileSync('docs/workflows.md', 'utf8');
const SAMPLES = 'workflows/samples';
const HEAD = 'document: { dsl: 1.0.3, namespace: team, name: a-part, version: 1.0.0, summary: A part. }\n';

const examples = [...MANUAL.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
  .map(([, yaml = '']) => yaml)
  // Some examples show only the tasks of a workflow.
  .map((yaml) => (yaml.startsWith('document:') ? yaml : HEAD + yaml));

describe('the manual for workflows', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  it('has examples that are valid without warnings', async () => {
    const definitions = service.app.get(WorkflowDefinitions);
    // Some examples run the samples.
    for (const file of readdirSync(SAMPLES)) {
      await definitions.save(readFileSync(join(SAMPLES, file), 'utf8'), { source: 'admin' });
    }
    expect(examples.length).toBeGreaterThanOrEqual(10);
    for (const example of examples) {
      const { problems } = await definitions.validate(example);
      expect({ example, problems }).toEqual({ example, problems: [] });
    }
  });

  it('describes every event that the service sends', () => {
    expect(SERVICE_EVENT_TYPES.filter((type) => !MANUAL.includes(`| \`${type}\``))).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkflowDefinitions } from '../src/features/workflows/definitions/workflow-definitions.service.js';
import { TestService } from './support/service.js';

const FOLDER = 'workflows/samples';
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));

describe('the sample workflows', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  it('are at least six, and all of them are in the overview', () => {
    const overview = readFileSync('workflows/README.md', 'utf8');
    expect(FILES.length).toBeGreaterThanOrEqual(6);
    expect(FILES.filter((file) => !overview.includes(`\`${file}\``))).toEqual([]);
  });

  it('are not read unless somebody copies them', async () => {
    expect((await service.app.get(WorkflowDefinitions).listPage({ limit: 9 })).items).toEqual([]);
  });

  it.each(FILES)('%s is valid without warnings, and named as its file', async (file) => {
    const definitions = service.app.get(WorkflowDefinitions);
    const { definition, problems } = await definitions.validate(readFileSync(join(FOLDER, file), 'utf8'));
    expect(problems).toEqual([]);
    expect(`${definition?.document.name ?? ''}.yaml`).toBe(file);
    expect(definition?.document.summary).toMatch(/^Use this to /);
  });
});

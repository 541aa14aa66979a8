import { WorkflowDefinitions } from '../../src/features/workflows/definitions/workflow-definitions.service.js';
import type { TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** Fails as long as the input says so, then asks whether to publish, and continues after the answer. */
export const REPORT = `
document:
  dsl: 1.0.3
  namespace: team
  name: weekly_report
  version: 1.0.0
  title: Weekly report
  summary: Use this to write the report of the week.
input:
  schema:
    document:
      type: object
      properties:
        week: { type: integer, title: Week, minimum: 1, maximum: 53 }
        topics: { type: array, items: { type: string } }
      required: [week]
do:
  - collect:
      for:
        each: topic
        in: \${ .topics // ["service", "people"] }
      do:
        - look:
            call: knowledge_search
            with:
              query: \${ $topic }
  - both:
      fork:
        branches:
          - remember:
              call: memory_save
              with: { key: last-report, content: Written }
          - pause:
              wait: { milliseconds: 300 }
  - publish:
      listen:
        to:
          one:
            with: { type: person.answered }
      metadata:
        question:
          message: May the report be published?
          schema:
            type: object
            properties:
              reason: { type: string, title: Why, minLength: 5 }
            required: [reason]
      timeout: { after: { days: 2 } }
  - finish:
      set:
        report: Week done
        answer: \${ . }
`;

const CHECK = `
document:
  dsl: 1.0.3
  namespace: team
  name: check_number
  version: 1.0.0
  summary: Use this to check a number.
do:
  - note:
      call: memory_save
      with:
        key: checked
        content: \${ .number | tostring }
      output: { as: $input }
  - save:
      call: memory_save
      with:
        key: \${ .key }
        content: Checked
`;

export async function writeWorkflows(service: TestService): Promise<void> {
  const definitions = service.app.get(WorkflowDefinitions, { strict: false });
  for (const text of [REPORT, CHECK]) await definitions.save(text, { source: 'admin' });
}

/** What the workflows of the team need: a webhook for a shop, and a token for a forecast. */
export async function connectAsATeamWould(service: TestService): Promise<void> {
  await service.admin('POST', 'webhooks', { name: 'shop', eventType: 'shop.order.placed' });
  await service.admin('PUT', 'workflow-secrets/weather', {
    value: 'demo-token',
    hosts: ['api.weather.example', '*.forecast.example'],
    skills: [],
  });
  await service.admin('PUT', 'workflow-secrets/chat', { value: { username: 'bot', password: 'demo-password' } });
}

/** Runs what `writeWorkflows` wrote: one completed, one failed, and one waiting for a person. */
export async function runAsATeamWould(service: TestService): Promise<void> {
  const start = async (name: string, input: object) => {
    const { body } = await service.admin('POST', `workflows/${name}/start`, { input });
    return String(body['id']);
  };
  const isIn = async (id: string, status: string) =>
    (await service.admin('GET', `runs/${id}`)).body['status'] === status;
  const done = await start('check_number', { number: 7, key: 'seven' });
  await until(() => isIn(done, 'completed'));
  const failed = await start('check_number', { number: 8, key: 'not a key!' });
  await until(() => isIn(failed, 'failed'));
  const asking = await start('weekly_report', { week: 12 });
  await until(async () => (await service.admin('GET', `runs/${asking}`)).body['questions'] === 1);
}

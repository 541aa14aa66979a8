import { Injectable, Module } from '@nestjs/common';
import { pino } from 'pino';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { registersSkills } from '../src/core/skills/skill.registry.js';
import { SkillsModule } from '../src/core/skills/skills.module.js';
import { PinoLogger, serializers } from '../src/platform/telemetry/pino-logger.service.js';
import { Skill, type SkillHandler } from '#skill-kit';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const TOKEN = 'tok-"8e1/5f+ü-secret';
const ARGUMENT = { type: 'object', properties: { text: { type: 'string' }, how: { type: 'string' } } };

/** The arguments that the skill has received. */
const given: unknown[] = [];

@Skill({ name: 'sender', description: 'Use this to send a token.', input: ARGUMENT })
@Injectable()
class Sender implements SkillHandler<{ text: string; how: string }> {
  execute({ text, how }: { text: string; how: string }): string {
    given.push(text);
    if (how === 'throw') throw new Error(`401: ${JSON.stringify({ text })} is not known, nor ${text}`);
    return `sent ${text}, or ${Buffer.from(text).toString('base64')}`;
  }
}

@Module({ imports: [SkillsModule], providers: [Sender, registersSkills(Sender)] })
class SenderModule {}

const workflow = (how: string) => `document:
  dsl: 1.0.3
  namespace: team
  name: ${how}
  version: 1.0.0
use: { secrets: [token] }
do:
  - send:
      call: sender
      with: { text: '\${ $secrets.token }', how: ${how} }
`;

describe('a secret that a step passes to a skill', () => {
  const logged: string[] = [];
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ imports: [SenderModule] });
    const write = (line: string) => void logged.push(line);
    service.app.useLogger(new PinoLogger(pino({ level: 'debug', serializers }, { write })));
    await service.admin('PUT', 'workflow-secrets/token', { value: TOKEN });
  });
  afterAll(() => service.stop());

  it.each([
    ['return', 'completed'],
    ['throw', 'failed'],
    ['dry', 'completed'],
  ])('reaches the skill, and appears nowhere else, when the skill is to %s', async (how, status) => {
    await service.admin('POST', 'workflows', { definition: workflow(how) });
    const { body } = await service.admin('POST', `workflows/${how}/start`, { input: {} });
    const run = () => service.admin('GET', `runs/${String(body['id'])}`);
    await until(async () => (await run()).body['endedAt'] !== null);
    expect((await run()).body['status']).toBe(status);
    expect(given.splice(0)).toEqual([TOKEN]);

    await service.app.get(AuditLog, { strict: false }).flush();
    const shown = {
      run: (await run()).body,
      steps: (await service.admin('GET', `runs/${String(body['id'])}/steps`)).body,
      audit: (await service.admin('GET', 'audit?limit=10')).body,
      overview: (await service.admin('GET', 'overview')).body,
      logged: logged.join('\n'),
    };
    expect(JSON.stringify(shown.audit)).toContain('[redacted]');
    expect(JSON.stringify(shown.steps)).toContain('/do/0/');
    if (how === 'throw') expect(shown.logged).toMatch(/\[redacted\].*A skill threw/);
    for (const [place, content] of Object.entries(shown)) {
      const text = JSON.stringify(content);
      for (const form of [TOKEN, JSON.stringify(TOKEN).slice(1, -1), Buffer.from(TOKEN).toString('base64')])
        for (const found of [form, JSON.stringify(form).slice(1, -1)])
          expect([place, text.includes(found)]).toEqual([place, false]);
    }
  });

  it('is not passed to a skill that would store it in a run of its own', async () => {
    await service.admin('PUT', 'config/workflows.authoring', { value: 'on' });
    const started = workflow('starts')
      .replace('call: sender', 'call: workflow_try')
      .replace(/with: .*/, `with: { name: return, version: 1.0.0, input: { text: '\${ $secrets.token }' } }`);
    expect((await service.admin('POST', 'workflows', { definition: started })).status).toBe(201);
    const { body } = await service.admin('POST', 'workflows/starts/start', { input: {} });
    const run = () => service.admin('GET', `runs/${String(body['id'])}`);
    await until(async () => (await run()).body['endedAt'] !== null);
    expect(JSON.stringify((await run()).body)).toContain('a secret is among them');
    expect(given.splice(0)).toEqual([]);
  });
});

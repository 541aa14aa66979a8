import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineSkill, Skill } from '#skill-kit';
import { createApp } from '../src/app.setup.js';
import { SkillRegistry } from '../src/core/skills/skill.registry.js';
import { SkillsService } from '../src/core/skills/skills.service.js';
import { freePort } from '../test/harness/free-port.js';
import { Access, ACCESS_ENV } from './access.js';
import { withServer } from './bench-server.js';
import type { LoadGenerator } from './load/load-generator.js';
import { settledCpu } from './measure-calls.js';
import type { Effort } from './measure-calls.js';
import { median } from './median.js';
import { CONSTANT, SERVICE, type Subject } from './subjects.js';

/** The cost of 200 policies, with 50 clients and the audit log. */
export interface PolicyCost {
  constantMicros: number;
  /** Of a call that no policy decides by its arguments. */
  plainMicros: number;
  /** Of a call that 50 policies decide by its arguments. */
  withArgumentsMicros: number;
  /** Filtering a list of 1,000 tools, for the first time and later. */
  firstListMs: number;
  laterListMs: number;
}

const CLIENTS = 50;
const GROUP = 'measured';
const POLICIES = Array.from({ length: 200 }, (_, number) => {
  if (number % 4 === 0)
    return `forbid (principal, action == Action::"callTool", resource == Tool::"tool_1") when { context.args.text like "forbidden ${number}*" };`;
  if (number % 4 === 1)
    return `forbid (principal in Group::"${GROUP}", action == Action::"callTool", resource) when { resource.destructive };`;
  return `forbid (principal in Group::"${GROUP}", action == Action::"callTool", resource == Tool::"tool_${2 + (number % 8)}");`;
});
const LISTS = 200;

export async function measurePolicies(load: LoadGenerator, effort: Effort): Promise<PolicyCost> {
  const rounds: Pick<PolicyCost, 'constantMicros' | 'plainMicros' | 'withArgumentsMicros'>[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    rounds.push({
      constantMicros: await measureCalls(CONSTANT, 'tool_0', load, effort),
      plainMicros: await measureCalls(SERVICE.modern10, 'tool_0', load, effort),
      withArgumentsMicros: await measureCalls(SERVICE.modern10, 'tool_1', load, effort),
    });
  }
  const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
  return {
    constantMicros: of('constantMicros'),
    plainMicros: of('plainMicros'),
    withArgumentsMicros: of('withArgumentsMicros'),
    ...(await measureLists()),
  };
}

function measureCalls(subject: Subject, tool: string, load: LoadGenerator, effort: Effort): Promise<number> {
  return withServer({ ...subject, env: ACCESS_ENV }, async (server, target) => {
    let clients = [target];
    if (subject !== CONSTANT) {
      const access = new Access(target);
      clients = await access.clients(CLIENTS, [GROUP]);
      await access.policies(POLICIES);
    }
    await load.do('connect', { target, connections: CLIENTS, clients, tool });
    return settledCpu(server, load, effort);
  });
}

/** Measured in this process, without serializing the list. */
async function measureLists(): Promise<Pick<PolicyCost, 'firstListMs' | 'laterListMs'>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  Object.assign(process.env, {
    DATA_DIR: dataDir,
    WORKFLOWS_DIR: join(dataDir, 'none'),
    LOG_LEVEL: 'silent',
    ...ACCESS_ENV,
  });
  const app = await createApp();
  const port = await freePort();
  await app.listen(port, '127.0.0.1');
  try {
    app.get(SkillRegistry).add(Array.from({ length: 1_000 }, (_, number) => skillOf(`tool_${number}`)));
    const access = new Access({ port, key: '', wire: '2026' });
    await access.clients(1, [GROUP]);
    await access.policies(POLICIES);
    const skills = app.get(SkillsService);
    const times = Array.from({ length: LISTS }, () => {
      const startedAt = performance.now();
      skills.list({ name: 'client-0', groups: [GROUP] });
      return performance.now() - startedAt;
    });
    return { firstListMs: times[0] ?? NaN, laterListMs: median(times.slice(1)) };
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function skillOf(name: string) {
  const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

  @Skill({ name, description: 'Answers with the same text.', input, annotations: { readOnlyHint: true } })
  class Constant {
    execute() {
      return 'constant answer';
    }
  }
  return defineSkill(new Constant());
}

import { Injectable, Module } from '@nestjs/common';
import {
  acceptedAnswer,
  elicit,
  failure,
  inputRequired,
  type JsonObject,
  ProtocolFault,
  Skill,
  type SkillContext,
  type SkillHandler,
  type SkillOutput,
} from '#skill-kit';
import { registersSkills } from '../../src/core/skills/skill.registry.js';
import { SkillsModule } from '../../src/core/skills/skills.module.js';

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const HOLD_INPUT: JsonObject = {
  type: 'object',
  properties: { label: { type: 'string' }, outcome: { enum: ['result', 'failure', 'fault'] } },
  required: ['label'],
};

interface Held {
  label: string;
  outcome?: 'result' | 'failure' | 'fault';
}

/** Blocks long-running work until the test releases it. */
@Injectable()
export class Gate {
  private readonly gates = new Map<string, PromiseWithResolvers<void>>();
  /** Labels of the work that was aborted. */
  readonly stopped: string[] = [];

  /** Releases the work with this label, even if it has not started yet. */
  open(label: string): void {
    this.of(label).resolve();
  }

  async passed(label: string, signal: AbortSignal): Promise<void> {
    const stopped = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        this.stopped.push(label);
        reject(new Error('stopped'));
      }),
    );
    await Promise.race([this.of(label).promise, stopped]);
  }

  private of(label: string): PromiseWithResolvers<void> {
    const gate = this.gates.get(label) ?? Promise.withResolvers<void>();
    this.gates.set(label, gate);
    return gate;
  }
}

@Skill({
  name: 'hold',
  description: 'Use this to wait until a test lets you go on.',
  input: HOLD_INPUT,
  annotations: READ_ONLY,
  long: true,
})
class Hold implements SkillHandler<Held> {
  constructor(private readonly gate: Gate) {}

  async execute({ label, outcome = 'result' }: Held, { signal }: SkillContext): Promise<SkillOutput> {
    await this.gate.passed(label, signal);
    if (outcome === 'fault') throw new ProtocolFault('the line is broken', -32011);
    return outcome === 'failure' ? failure('the work failed') : `${label} is done`;
  }
}

@Skill({ name: 'hold_only_as_task', description: 'Use this as a task.', annotations: READ_ONLY, long: 'required' })
class HoldOnlyAsTask implements SkillHandler {
  constructor(private readonly gate: Gate) {}

  async execute(_input: object, { signal }: SkillContext): Promise<string> {
    await this.gate.passed('hold_only_as_task', signal);
    return 'done as a task';
  }
}

const PERSON = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

@Skill({ name: 'introduce', description: 'Use this to be asked for two names.', annotations: READ_ONLY, long: true })
class Introduce implements SkillHandler {
  execute(_input: object, { answers }: SkillContext): SkillOutput {
    const [one, other] = ['one', 'other'].map((key) => acceptedAnswer(answers, key)?.['name']);
    if (typeof one === 'string' && typeof other === 'string') return `${one}, this is ${other}`;
    if (Object.keys(answers).length > 0) return 'nobody wants to be introduced';
    return inputRequired({ inputRequests: { one: elicit('Who are you?', PERSON), other: elicit('And you?', PERSON) } });
  }
}

const APPROVAL: JsonObject = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };

@Skill({
  name: 'approve',
  description: 'Use this to have something approved.',
  output: APPROVAL,
  annotations: READ_ONLY,
  long: true,
})
class Approve implements SkillHandler {
  execute(_input: object, { answers }: SkillContext): SkillOutput {
    const answer = acceptedAnswer(answers, 'approval');
    return answer ?? inputRequired({ inputRequests: { approval: elicit('Do you approve?', APPROVAL) } });
  }
}

const SKILLS = [Hold, HoldOnlyAsTask, Introduce, Approve];

@Module({ imports: [SkillsModule], providers: [Gate, ...SKILLS, registersSkills(...SKILLS)], exports: [Gate] })
export class LongSkillsModule {}

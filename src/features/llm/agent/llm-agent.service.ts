import { Injectable, type OnModuleInit } from '@nestjs/common';
import { callAsStep, type Json, type JsonObject, standardError, type StepRef, WorkflowError } from '#open-workflow';
import type { Client, SkillResult } from '#skill-kit';
import { SkillsService } from '../../../core/skills/skills.service.js';
import { type AgentRun, RunAgents } from '../../workflows/engine/programs/run-agents.service.js';
import { AGENT, type AgentInput } from './agent.schema.js';
import { type AgentCall, moveOf, moveSchema, roleText, taskText, type ToolMove } from './agent.rules.js';

/** Maximum tokens for a move, and the minimum, because fewer cannot hold a complete move. */
const [MOST_TOKENS, FEWEST_TOKENS] = [4_096, 512];

/** A model that calls tools until a task is done. Each request to the model and each call is a step of the run. */
@Injectable()
export class LlmAgentProgram implements OnModuleInit {
  constructor(
    private readonly agents: RunAgents,
    private readonly skills: SkillsService,
  ) {}

  onModuleInit(): void {
    this.agents.add(AGENT, (run) => this.execute(run));
  }

  private async execute(run: AgentRun): Promise<Json> {
    // Its arguments were checked when the tool was called.
    const input = Object(run.input) as AgentInput;
    const role = await this.roleOf(input.tools, run);
    const calls: AgentCall[] = [];
    let tokens = 0;
    for (let number = 1; number <= input.max_steps; number += 1) {
      const { move, used } = await ask(number, questionOf(input, role, calls, tokens), run);
      tokens += used;
      if ('answer' in move) return answered(move.answer, calls, tokens);
      if (tokens >= input.max_tokens) return stopped('max_tokens', calls, tokens);
      calls.push(await call(number, move, run));
    }
    return stopped('max_steps', calls, tokens);
  }

  /** Looks up the tools once, so that the model reads the same descriptions during the whole run. */
  private async roleOf(names: readonly string[], { client, steps }: AgentRun): Promise<string> {
    // A step records what it throws as its error.
    const describe = async () => this.describe(names, client);
    const outcome = await steps.effect(stepOf('/tools'), [...names], describe);
    if (outcome.ok) return typeof outcome.value === 'string' ? outcome.value : '';
    throw new WorkflowError({ instance: '/tools', ...outcome.error });
  }

  /** @throws WorkflowError */
  private describe(names: readonly string[], client: Client): string {
    const known = new Map(this.skills.list(client).map((skill) => [skill.name, skill]));
    const tools = names.map((name) => {
      const skill = name === AGENT ? undefined : known.get(name);
      if (skill) return skill;
      throw standardError('validation', `There is no tool ${name} for ${client.name} and an agent: name others.`);
    });
    const role = roleText(tools);
    if (role !== null) return role;
    throw standardError('validation', 'The descriptions of these tools are too long for a model: name fewer tools.');
  }
}

const questionOf = (input: AgentInput, role: string, calls: readonly AgentCall[], tokens: number): JsonObject => ({
  system: role,
  prompt: taskText(input.task, calls),
  max_tokens: Math.min(MOST_TOKENS, Math.max(FEWEST_TOKENS, input.max_tokens - tokens)),
  output_schema: moveSchema(input.tools),
  ...(input.model !== undefined && { model: input.model }),
});

/** Asks the model what to do next. @throws WorkflowError */
async function ask(number: number, question: JsonObject, { steps, host }: AgentRun) {
  const step = stepOf(`/ask/${number}`);
  const output = resultIn(await callAsStep(step, { name: 'llm_generate', input: question, steps, host }));
  if (output.isError) throw standardError('runtime', textOf(output), { instance: step.task });
  const { data, tokens } = Object(output.structuredContent) as { data: JsonObject; tokens: { total: number } };
  const move = moveOf(data);
  if (move) return { move, used: tokens.total };
  const problem = 'The model has neither called a tool nor answered. Say more in the task, or name another model.';
  throw standardError('runtime', problem, { instance: step.task });
}

/** Calls a tool. Errors become results for the model. */
async function call(number: number, { tool, input }: ToolMove, { steps, host }: AgentRun): Promise<AgentCall> {
  try {
    const output = resultIn(await callAsStep(stepOf(`/call/${number}`), { name: tool, input, steps, host }));
    return { tool, input, result: textOf(output), failed: output.isError === true };
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error;
    return { tool, input, result: error.message, failed: true };
  }
}

const stepOf = (name: string): StepRef => ({ name, task: name, attempt: 1 });

const answered = (answer: string, calls: readonly AgentCall[], tokens: number): Json =>
  resultOf(answer, answer, { stopped: null, ...countsOf(calls, tokens) });

const stopped = (limit: 'max_steps' | 'max_tokens', calls: readonly AgentCall[], tokens: number): Json =>
  resultOf(`It was stopped at ${limit}, before there was an answer: raise ${limit}, or ask for less.`, null, {
    stopped: limit,
    ...countsOf(calls, tokens),
  });

const countsOf = (calls: readonly AgentCall[], tokens: number) => ({
  calls: calls.map(({ tool, failed }) => ({ tool, failed })),
  tokens,
});

/** Returns a result whose first block is the plain answer, not escaped within JSON. */
const resultOf = (shown: string, answer: string | null, more: JsonObject): Json => ({
  content: [shown, JSON.stringify(more)].map((text) => ({ type: 'text', text })),
  structuredContent: { answer, ...more },
});

/** Runs of agents get whole results, recorded as JSON. */
const resultIn = (recorded: Json): SkillResult => Object(recorded) as SkillResult;

/** The part of a result for the model: its texts, and the types of other contents. */
const textOf = ({ content }: SkillResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n') || '(nothing)';

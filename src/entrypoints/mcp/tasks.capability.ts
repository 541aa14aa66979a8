import {
  type ClientCapabilities,
  ProtocolError,
  type Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { isObject } from '#bounded-json';
import { callerOf, ErrorCode, type TaskSource, TASKS_REQUIRED } from '#mcp-http';
import type { JsonObject } from '#open-workflow';
import type { Client } from '#skill-kit';
import { SettingsService } from '../../platform/config/settings.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { OpenQuestion, Run } from '../../features/workflows/runs/run.js';
import { SkillsService } from '../../core/skills/skills.service.js';
import { type LimitInForce, ToolLimitsService } from '../../core/skills/skill-catalogue.service.js';
import { RunsService } from '../../features/workflows/runs/runs.service.js';
import { type AnswerOfCaller, RunAnswers } from '../../features/workflows/runs/run-answers.service.js';
import { canAsk, type Capability, followsTasks, handler, type Served, showsForms } from './capability.js';
import { type DetailedTask, type Task, toInputRequests, toOutcome, toTask } from './task.rules.js';

interface TaskParams {
  taskId: string;
}

/** Bytes of a response that are reserved for the envelope of a result. */
const ENVELOPE_BYTES = 4_096;
const COMPLETE = { resultType: 'complete' } as const;
const WAITS_ELSEWHERE = 'It waits for an administrator, who answers in the administration under Runs.';

/**
 * The Tasks extension of protocol 2026-07-28 (modelcontextprotocol/ext-tasks): `tasks/get`, `tasks/update` and `tasks/cancel`. A
 * task is a run of the client, with the same id.
 */
@Injectable()
export class TasksCapability implements Capability, TaskSource<Client> {
  readonly handlers = [
    taskHandler('tasks/get', (params, ctx, { server }) => this.get(params, ctx, server)),
    taskHandler('tasks/update', (params, ctx) => this.update(params, ctx)),
    taskHandler('tasks/cancel', (params, ctx) => this.cancel(params, ctx)),
  ];

  constructor(
    private readonly runs: RunsService,
    private readonly answers: RunAnswers,
    private readonly settings: SettingsService,
    private readonly skills: SkillsService,
    private readonly limits: ToolLimitsService,
  ) {}

  /** Returns the result of a call that continues as a run of the client. The run is stored. */
  async created(runId: string, ctx: ServerContext, server: Server): Promise<Task & { resultType: 'task' }> {
    const run = await this.runs.get(runId, callerOf<Client>(ctx));
    const {
      inputRequests: _asked,
      result: _result,
      error: _error,
      ...task
    } = await this.detailed(run, canAsk(ctx, server));
    return { resultType: 'task', ...task };
  }

  async find(client: Client, taskId: string, capabilities: ClientCapabilities): Promise<DetailedTask | null> {
    try {
      return await this.detailed(await this.permitted(taskId, client), showsForms(capabilities));
    } catch (error) {
      if (error instanceof AppError && (error.kind === 'not_found' || error.kind === 'denied')) return null;
      throw error;
    }
  }

  private async get({ taskId }: TaskParams, ctx: ServerContext, server: Server) {
    return { ...COMPLETE, ...(await this.detailed(await this.runOf(taskId, ctx), canAsk(ctx, server))) };
  }

  private async update({ taskId }: TaskParams, ctx: ServerContext) {
    const { id } = await this.runOf(taskId, ctx);
    const { inputResponses, droppedInputResponseKeys } = ctx.mcpReq;
    if (!inputResponses) throw invalidParams('"inputResponses" is missing: an object with the answers by their keys');
    const problems: string[] = [];
    // Answers to questions that are not open are ignored.
    for (const question of await this.runs.questions(id)) {
      const { step } = question;
      if (droppedInputResponseKeys?.includes(step))
        problems.push(`${step}: send the answer itself, not within "result"`);
      if (!Object.hasOwn(inputResponses, step)) continue;
      const problem = await this.answer(question, inputResponses[step], callerOf<Client>(ctx));
      if (problem !== null) problems.push(`${step}: ${problem}`);
    }
    if (problems.length > 0) throw invalidParams(`${problems.join('; ')}. Other answers of this request are taken`);
    return COMPLETE;
  }

  private async cancel({ taskId }: TaskParams, ctx: ServerContext) {
    assertFollows(ctx);
    // Callers may stop what they have started, even if policies have changed.
    const { id } = await this.runs.get(taskId, callerOf<Client>(ctx));
    await this.runs.cancel(id);
    return COMPLETE;
  }

  /** Returns what is wrong with an answer; null when it is accepted, or somebody else has answered in the meantime. */
  private async answer({ runId, step }: OpenQuestion, response: unknown, client: Client): Promise<string | null> {
    const answer = readAnswer(response, client);
    if (!answer)
      return 'an answer has "action" (accept, decline or cancel) and, when it is accept, the object "content"';
    try {
      await this.answers.answerAsCaller(runId, step, answer);
      return null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.kind === 'invalid' || error.kind === 'denied') return error.message;
      if (error.kind === 'conflict') return null;
      throw error;
    }
  }

  /** @param mayAsk whether the client can show questions to a person */
  private async detailed(run: Run, mayAsk: boolean): Promise<DetailedTask> {
    const task = toTask(run, this.retention());
    switch (task.status) {
      case 'working':
        return task;
      case 'input_required': {
        const open = mayAsk ? await this.runs.questions(run.id) : [];
        const questions = open.filter(({ notCaller }) => !notCaller);
        if (questions.length > 0) return { ...task, inputRequests: toInputRequests(questions) };
        return { ...task, status: 'working', statusMessage: WAITS_ELSEWHERE };
      }
      default:
        return { ...task, ...toOutcome(run, this.runs.toResult(run), this.resultLimit(run.name)) };
    }
  }

  /** @throws ProtocolError when the client has not declared the extension; RunNotFound, SkillDenied */
  private runOf(taskId: string, ctx: ServerContext): Promise<Run> {
    assertFollows(ctx);
    return this.permitted(taskId, callerOf<Client>(ctx));
  }

  /**
   * Returns a run of the client, if policies let the client use its tool.
   * @throws RunNotFound when it is not the client's, SkillDenied
   */
  private async permitted(taskId: string, client: Client): Promise<Run> {
    const run = await this.runs.get(taskId, client);
    this.skills.assertVisible(client, run.name);
    return run;
  }

  private retention() {
    return { retentionDays: this.settings.get('runs.retention_days') };
  }

  private resultLimit(tool: string): LimitInForce {
    const { value, source } = this.limits.resultOf(tool);
    // The endpoint adds room for the envelope to the limit of one tool, but not to the global one.
    return { value: this.limits.ownResultOf(tool) ?? value - ENVELOPE_BYTES, source };
  }
}

/** @throws ProtocolError when the client has not declared the extension */
function assertFollows(ctx: ServerContext): void {
  if (followsTasks(ctx)) return;
  const message = `${ctx.mcpReq.method} takes a client that declares the Tasks extension in the same request`;
  throw new ProtocolError(ErrorCode.missingCapability, message, TASKS_REQUIRED);
}

const TASK_PARAMS: StandardSchemaV1<TaskParams, TaskParams> = {
  '~standard': {
    version: 1,
    vendor: 'agent-service',
    validate: (value) =>
      isObject(value) && typeof value['taskId'] === 'string'
        ? { value: { taskId: value['taskId'] } }
        : { issues: [{ message: 'must be a string', path: ['taskId'] }] },
  },
};

const taskHandler = (
  method: string,
  handle: (params: TaskParams, ctx: ServerContext, served: Served) => Promise<object>,
) => handler(method, TASK_PARAMS, handle, 'stateless');

const invalidParams = (message: string) => new ProtocolError(ErrorCode.invalidParams, `Invalid params: ${message}`);

const ACTIONS = ['accept', 'decline', 'cancel'] as const;

function readAnswer(value: unknown, client: Client): AnswerOfCaller | null {
  if (!isObject(value)) return null;
  const action = ACTIONS.find((known) => known === value['action']);
  if (action === undefined) return null;
  if (action !== 'accept') return { action, content: null, client };
  const content = value['content'] ?? {};
  return isObject(content) ? { action, content: content as JsonObject, client } : null;
}

import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  type EffectCall,
  type HttpRequest,
  type HttpResponse,
  type InputNeeded,
  type InputRound,
  type Json,
  type JsonObject,
  type RequestCall,
  standardError,
  WorkflowError,
  type WorkflowHost,
} from '#open-workflow';
import { type InputRequired, isFollowRun, isInputRequired, ProtocolFault, type SkillResult } from '#skill-kit';
import { DatabaseUnavailable } from '../../../../platform/database/database.errors.js';
import { AppError } from '../../../../platform/errors/app-error.js';
import type { CallContext } from '../../../../core/skills/skill-call.js';
import { SkillsService } from '../../../../core/skills/skills.service.js';
import { type ClaimedRun, isTrial } from '../../runs/execution/claimed-run.js';
import { HttpCalls } from '../../http-calls/http-calls.service.js';
import { problemOfFault } from '../../runs/fault.rules.js';
import { WorkflowSecrets } from '../../secrets/workflow-secrets.service.js';
import { EmittedEvents } from '../../runs/events/emitted-events.service.js';
import { RunClients } from './run-clients.service.js';
import { PublishedEvents } from '../../runs/events/published-events.service.js';

/** The outside world of runs: skills, other servers, secrets, events. */
@Injectable()
export class RunHosts {
  constructor(
    private readonly skills: SkillsService,
    private readonly http: HttpCalls,
    private readonly secrets: WorkflowSecrets,
    private readonly events: PublishedEvents,
    private readonly emitted: EmittedEvents,
    private readonly clients: RunClients,
  ) {}

  /** Returns the host of a run, which calls skills on behalf of its client. */
  hostOf(run: ClaimedRun): WorkflowHost {
    return {
      callFunction: async (name, args, call, round) => {
        const output = await this.call(run, name, args, call, round);
        // Runs of skills and agents return the whole result; a workflow continues with its data.
        return '$inputNeeded' in output || run.program !== 'workflow' ? (output as JsonObject) : dataOf(name, output);
      },
      request: (request: HttpRequest, call: RequestCall): Promise<HttpResponse> => this.http.request(request, call),
      emit: (event, { signal }) =>
        untilAvailable(signal, async () => {
          const prepared = await this.emitted.prepare(event, run.id);
          // Events start workflows that act for the service, and no policy says who may send them.
          if (!isTrial(run)) await this.events.publish(prepared);
        }),
      secret: (name, { signal }) =>
        untilAvailable(signal, () => this.secrets.resolve(name, { onlyLimited: isTrial(run) })),
    };
  }

  private async call(
    run: ClaimedRun,
    name: string,
    args: JsonObject,
    { signal, idempotencyKey, withoutSecrets, report }: EffectCall,
    { answers, state }: InputRound,
  ): Promise<SkillResult | InputNeeded> {
    const context: CallContext = {
      signal,
      answers,
      state: state ?? undefined,
      canAsk: true,
      isDecidedByModel: run.program === 'agent',
      followsTasks: false,
      step: { runId: run.id, idempotencyKey },
      depth: run.depth + 1,
      withoutSecrets: withoutSecrets && (<T>(value: T) => withoutSecrets(value as Json) as T),
      progress: (progress, total, message) => {
        const progressed = {
          progress,
          ...(total !== undefined && { total }),
          ...(message !== undefined && { message }),
        };
        report?.(withoutSecrets ? (withoutSecrets(progressed) as typeof progressed) : progressed);
      },
      log: () => {},
      releaseConnection: () => {},
    };
    const client = this.clients.clientOf(run);
    const output = await untilAvailable(signal, () => this.skills.call(client, name, args, context)).catch(rethrow);
    if (isInputRequired(output)) return toInputNeeded(name, output);
    if (isFollowRun(output)) throw standardError('runtime', `${name} cannot be called within a run: use run.workflow.`);
    return output;
  }
}

const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [500, 10_000];
/** How often a statement may be too slow: another one may have been in its way, or it always is. */
const MOST_SLOW_TRIES = 3;

/**
 * Does a step's work again for as long as the service's database does not respond: the step could not be recorded before either.
 * What the work did before it failed may be done twice, as after a crash.
 */
async function untilAvailable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let slowTries = 0;
  for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_RETRY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError) || error.kind !== 'unavailable') throw error;
      if (error instanceof DatabaseUnavailable && error.isTooSlow && ++slowTries >= MOST_SLOW_TRIES) throw error;
    }
    await pause(delayMs, undefined, { signal });
  }
}

function rethrow(error: unknown): never {
  if (error instanceof ProtocolFault) throw new WorkflowError(problemOfFault(error));
  if (error instanceof AppError) throw standardError('runtime', error.message);
  throw error;
}

/** @throws WorkflowError when the skill makes a request that no person can answer */
function toInputNeeded(name: string, { inputRequests = {}, state }: InputRequired): InputNeeded {
  const questions = Object.entries(inputRequests).map(([key, { method, params = {}, notCaller }]) => {
    if (method !== 'elicitation/create')
      throw standardError('runtime', `${name} asks for ${method}, which only the program of a caller could answer.`);
    const { message = '', requestedSchema = { type: 'object', properties: {} } } = params;
    const question = { message: String(message), schema: requestedSchema as JsonObject };
    return [key, notCaller === undefined ? question : { ...question, notCaller }] as const;
  });
  return { $inputNeeded: { questions: Object.fromEntries(questions), state: (state ?? null) as Json } };
}

/** @throws WorkflowError when the call failed, or returned what would be taken for questions of the skill */
function dataOf(name: string, { content, structuredContent, isError }: SkillResult): Json {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (isError) throw standardError('runtime', texts.join('\n') || `${name} failed without a message.`);
  if (structuredContent && '$inputNeeded' in structuredContent)
    throw standardError('runtime', `${name} returned "$inputNeeded", which data in workflows cannot have as a member.`);
  if (structuredContent) return structuredContent as JsonObject;
  return texts.length === content.length ? texts.join('\n') : toJson({ content });
}

const toJson = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

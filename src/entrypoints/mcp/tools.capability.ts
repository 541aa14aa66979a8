import {
  type CallToolRequest,
  type Server,
  type ServerContext,
  specTypeSchemas,
  type Tool,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { callerOf, type HeaderParameter, headerParametersOf } from '#mcp-http';
import {
  type Client,
  failure,
  type FollowRun,
  type InputRequired,
  isFollowRun,
  isInputRequired,
  type SkillDefinition,
  type SkillResult,
  text,
} from '#skill-kit';
import { SkillRegistry } from '../../core/skills/skill.registry.js';
import { isForViewsOnly } from '../../core/skills/skill-views.js';
import { SkillNotFound } from '../../core/skills/skills.errors.js';
import type { CallContext } from '../../core/skills/skill-call.js';
import { SkillsService } from '../../core/skills/skills.service.js';
import { canAsk, type Capability, followsTasks, handler, pageOf, showsViews, trusted } from './capability.js';
import { type CallSubject, InputRequests } from './input-requests.service.js';
import { TasksCapability } from './tasks.capability.js';

const NO_ANSWERS = Object.freeze({});
const CALL_PARAMS = trusted<CallToolRequest['params']>();

/** `tools/list` and `tools/call`: every skill that the client may use. */
@Injectable()
export class ToolsCapability implements Capability {
  readonly handlers = [
    handler('tools/list', specTypeSchemas.PaginatedRequestParams, (params, ctx, { server }) =>
      this.list(params?.cursor, ctx, server),
    ),
    handler('tools/call', CALL_PARAMS, (params, ctx, { server }) => this.call(params, ctx, server)),
  ];
  private readonly tools = new WeakMap<SkillDefinition, Tool>();
  private readonly headers = new WeakMap<SkillDefinition, HeaderParameter[]>();
  /** The reported progress of requests, by their signals: in a session, a skill may be executed again with answers. */
  private readonly reached = new WeakMap<AbortSignal, number>();

  constructor(
    private readonly skills: SkillsService,
    private readonly registry: SkillRegistry,
    private readonly inputRequests: InputRequests,
    private readonly tasks: TasksCapability,
  ) {}

  /** Returns the parameters of a tool that clients repeat in headers. */
  headerParameters(name: string): readonly HeaderParameter[] {
    const skill = this.registry.find(name);
    return skill ? cached(this.headers, skill, () => headerParametersOf(skill.inputSchema)) : [];
  }

  private async list(cursor: string | undefined, ctx: ServerContext, server: Server) {
    const skills = this.skills.list(callerOf<Client>(ctx));
    const shown = showsViews(ctx, server) ? skills : skills.filter(({ meta }) => !isForViewsOnly(meta));
    const { page, ...next } = pageOf(shown, cursor);
    return { tools: page.map((skill) => cached(this.tools, skill, () => toTool(skill))), ...next };
  }

  private async call({ name, arguments: args = {} }: CallToolRequest['params'], ctx: ServerContext, server: Server) {
    const subject = { method: 'tools/call', name, arguments: args } as const;
    if (isForViewsOnly(this.registry.find(name)?.meta) && !showsViews(ctx, server)) throw new SkillNotFound(name);
    const context = this.contextOf(subject, ctx, server);
    const output = await this.skills.call(callerOf<Client>(ctx), name, args, context);
    if (isInputRequired(output)) {
      // On 2026-07-28, the SDK answers with the error that the specification requires (-32021).
      if (ctx.sessionId !== undefined && !context.canAsk && asksPerson(output)) return failure(cannotAsk(name));
      return this.inputRequests.toResult(subject, output, ctx);
    }
    if (!isFollowRun(output)) return output;
    return context.followsTasks ? this.tasks.created(output.runId, ctx, server) : this.followed(name, output);
  }

  /** Returns the result of a followed run for a client that cannot follow tasks. */
  private followed(name: string, { message }: FollowRun): SkillResult {
    // Clients refuse a result without the structured content that the tool declares, unless it is an error.
    const isError = this.registry.find(name)?.outputSchema !== undefined;
    return { content: [text(message)], ...(isError && { isError }) };
  }

  private contextOf(subject: CallSubject, ctx: ServerContext, server: Server): CallContext {
    const { mcpReq } = ctx;
    const progressToken = mcpReq._meta?.progressToken;
    const firstRound = mcpReq.inputResponses === undefined && mcpReq.requestState() === undefined;
    const { answers, state } = firstRound
      ? { answers: NO_ANSWERS, state: undefined }
      : this.inputRequests.answersOf(subject, ctx);
    return {
      signal: mcpReq.signal,
      answers,
      state,
      canAsk: canAsk(ctx, server),
      followsTasks: followsTasks(ctx),
      step: null,
      progress: (progress, total, message) => {
        if (progressToken === undefined || mcpReq.signal.aborted) return;
        // It has to grow (specification 2026-07-28, basic/patterns/progress).
        if (!(progress > (this.reached.get(mcpReq.signal) ?? -Infinity))) return;
        this.reached.set(mcpReq.signal, progress);
        const params = { progressToken, progress, ...(total !== undefined && { total }), ...(message && { message }) };
        void mcpReq.notify({ method: 'notifications/progress', params }).catch(ignoreClosed);
      },
      log: (level, data, logger) => {
        if (!mcpReq.signal.aborted) void mcpReq.log(level, data, logger).catch(ignoreClosed);
      },
      releaseConnection: () => ctx.http?.closeSSE?.(),
    };
  }
}

const asksPerson = ({ inputRequests = {} }: InputRequired): boolean =>
  Object.values(inputRequests).some(({ method }) => method === 'elicitation/create');

const cannotAsk = (name: string): string =>
  `The tool ${name} has to ask the user, but this client cannot show questions (it has not declared elicitation). Call it ` +
  'from a client that can, or have an administrator make a workflow that calls it: the questions are then answered under Runs.';

function toTool({ name, title, description, inputSchema, outputSchema, annotations, meta }: SkillDefinition): Tool {
  return {
    name,
    ...(title && { title }),
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(outputSchema && { outputSchema: outputSchema }),
    ...(annotations && { annotations: { ...(title && { title }), ...annotations } }),
    ...(meta && { _meta: meta }),
  };
}

function cached<K extends object, V>(cache: WeakMap<K, V>, key: K, make: () => V): V {
  let value = cache.get(key);
  if (value === undefined) cache.set(key, (value = make()));
  return value;
}

function ignoreClosed(): void {
  // The stream ended between the check and the write: there is nobody to notify.
}

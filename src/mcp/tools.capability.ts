import {
  type CallToolRequest,
  type Server,
  type ServerContext,
  specTypeSchemas,
  type Tool,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { callerOf, type HeaderParameter, headerParametersOf } from '#mcp-http';
import { type Client, isInputRequired, type SkillDefinition } from '#skill-kit';
import { SkillRegistry } from '../skills/skill.registry.js';
import { type CallContext, SkillsService } from '../skills/skills.service.js';
import { type Capability, handler, pageOf, trusted } from './capability.js';
import { InputRequests } from './input-requests.service.js';

const NO_ANSWERS = Object.freeze({});

/** `tools/list` and `tools/call`: every skill that the client may use. */
@Injectable()
export class ToolsCapability implements Capability {
  private readonly tools = new WeakMap<SkillDefinition, Tool>();
  private readonly headers = new WeakMap<SkillDefinition, HeaderParameter[]>();
  private readonly handlers = [
    handler('tools/list', specTypeSchemas.PaginatedRequestParams, (params, ctx) => this.list(params?.cursor, ctx)),
    handler('tools/call', trusted<CallToolRequest['params']>(), (params, ctx) => this.call(params, ctx)),
  ];

  constructor(
    private readonly skills: SkillsService,
    private readonly registry: SkillRegistry,
    private readonly inputRequests: InputRequests,
  ) {}

  register(server: Server): void {
    for (const register of this.handlers) register(server);
  }

  /** Returns the parameters of a tool that clients repeat in headers. */
  headerParameters(name: string): readonly HeaderParameter[] {
    const skill = this.registry.find(name);
    return skill ? cached(this.headers, skill, () => headerParametersOf(skill.inputSchema)) : [];
  }

  private async list(cursor: string | undefined, ctx: ServerContext) {
    const { page, ...next } = pageOf(this.skills.list(callerOf<Client>(ctx)), cursor);
    return { tools: page.map((skill) => cached(this.tools, skill, () => toTool(skill))), ...next };
  }

  private async call({ name, arguments: args = {} }: CallToolRequest['params'], ctx: ServerContext) {
    const subject = `tools/call:${name}`;
    const context = this.contextOf(subject, ctx);
    const result = await this.skills.call(callerOf<Client>(ctx), name, args, context);
    return isInputRequired(result) ? this.inputRequests.toResult(subject, result, ctx) : result;
  }

  private contextOf(subject: string, ctx: ServerContext): CallContext {
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
      progress: (progress, total, message) => {
        if (progressToken === undefined || mcpReq.signal.aborted) return;
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
  // The stream ended between the check and the write: nobody is left to tell.
}

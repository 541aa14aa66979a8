import { hash } from 'node:crypto';
import {
  createRequestStateCodec,
  type InputRequests as WireInputRequests,
  type InputRequiredResult,
  ProtocolError,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { callerOf, ErrorCode } from '#mcp-http';
import type { Client, InputRequired, JsonObject } from '#skill-kit';
import { SecretsService } from '../../platform/secrets/secrets.service.js';

/** How long a person may take to answer. */
const STATE_TTL_SECONDS = 3600;

/** What identifies a call in all of its rounds. */
export interface CallSubject {
  method: 'tools/call' | 'prompts/get';
  name: string;
  arguments: JsonObject;
}

/** The state that the client keeps for the service between two rounds of one call. */
interface SealedState {
  /** The call it belongs to. */
  subject: string;
  state: unknown;
}

/**
 * Questions to the caller in the middle of a call (specification 2026-07-28, basic/patterns/mrtr). The state between two
 * rounds is sealed for the client, with a key that all processes share, so that any replica can continue.
 */
@Injectable()
export class InputRequests implements OnModuleInit {
  private codec: RequestStateCodec<SealedState> | null = null; // null until the key is read

  constructor(private readonly secrets: SecretsService) {}

  async onModuleInit(): Promise<void> {
    const key = await this.secrets.get('mcp.request_state');
    this.codec = createRequestStateCodec({
      key,
      ttlSeconds: STATE_TTL_SECONDS,
      bind: (ctx) => callerOf<Client>(ctx).name,
    });
  }

  /** Opens a returned state. @throws Error when it was changed, has expired, or was sealed for another client */
  verify(sealed: string, ctx: ServerContext): Promise<SealedState> {
    return this.opened().verify(sealed, ctx);
  }

  /**
   * Returns the caller's answers in this round and the state of the previous one. @throws ProtocolError for the state of another
   * call
   */
  answersOf(subject: CallSubject, ctx: ServerContext): { answers: JsonObject; state: unknown } {
    const sealed = ctx.mcpReq.requestState<SealedState>();
    if (sealed && sealed.subject !== textOf(subject)) {
      throw new ProtocolError(
        ErrorCode.invalidParams,
        'Invalid requestState: it belongs to another call, or to other arguments. Call again without it',
      );
    }
    return { answers: ctx.mcpReq.inputResponses ?? {}, state: sealed?.state };
  }

  async toResult(subject: CallSubject, required: InputRequired, ctx: ServerContext): Promise<InputRequiredResult> {
    const { inputRequests, state } = required;
    return {
      resultType: 'input_required',
      ...(inputRequests && { inputRequests: inputRequests as WireInputRequests }),
      ...(state !== undefined && { requestState: await this.opened().mint({ subject: textOf(subject), state }, ctx) }),
    };
  }

  private opened(): RequestStateCodec<SealedState> {
    if (!this.codec) throw new Error('InputRequests is used before the module is initialised');
    return this.codec;
  }
}

/** Returns a short text that differs for every method, name and arguments, in whatever order the members of these are. */
function textOf({ method, name, arguments: args }: CallSubject): string {
  const sorted = JSON.stringify(args, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1)))
      : value,
  );
  return `${method}:${name}:${hash('sha256', sorted, 'base64url')}`;
}

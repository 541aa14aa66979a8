import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  createRequestStateCodec,
  type InputRequests as WireInputRequests,
  type InputRequiredResult,
  ProtocolError,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Client, InputRequired, JsonObject } from '#skill-kit';
import { callerOf, ErrorCode } from '#mcp-http';
import { SecretsService } from '../secrets/secrets.service.js';

/** A person may take that long to answer. */
const STATE_TTL_SECONDS = 3600;

/** Travels through the client between two rounds of one call. */
interface SealedState {
  /** The call it belongs to, such as `tools/call:deploy`. */
  subject: string;
  state: unknown;
}

/**
 * Questions to the caller in the middle of a call (specification 2026-07-28, basic/patterns/mrtr). The state between two
 * rounds is sealed with a key that all processes share and bound to the client, so that any replica can go on.
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

  /** Checks the seal of a state that comes back. @throws Error when it was changed, expired, or given to another client */
  verify(sealed: string, ctx: ServerContext): Promise<SealedState> {
    return this.opened().verify(sealed, ctx);
  }

  /** What the caller answered in this round, and the state of the round before. @throws ProtocolError */
  answersOf(subject: string, ctx: ServerContext): { answers: JsonObject; state: unknown } {
    const sealed = ctx.mcpReq.requestState<SealedState>();
    if (sealed && sealed.subject !== subject) {
      throw new ProtocolError(ErrorCode.invalidParams, 'Invalid or expired requestState');
    }
    return { answers: ctx.mcpReq.inputResponses ?? {}, state: sealed?.state };
  }

  async toResult(subject: string, required: InputRequired, ctx: ServerContext): Promise<InputRequiredResult> {
    const { inputRequests, state } = required;
    return {
      resultType: 'input_required',
      ...(inputRequests && { inputRequests: inputRequests as WireInputRequests }),
      ...(state !== undefined && { requestState: await this.opened().mint({ subject, state }, ctx) }),
    };
  }

  private opened(): RequestStateCodec<SealedState> {
    if (!this.codec) throw new Error('InputRequests is used before the module is initialised');
    return this.codec;
  }
}

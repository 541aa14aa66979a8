import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { isFollowRun, isInputRequired, type JsonObject, text } from '#skill-kit';
import { ADMIN_CLIENT } from '../../../access/audit/audit-entry.js';
import type { CallContext, CallOutput } from '../../../core/skills/skill-call.js';
import { SkillsService } from '../../../core/skills/skills.service.js';
import { MessageStream } from './message-stream.js';

/** Id and progress token of the call. A stream has only one call, so they can be the same. */
const CALL_ID = 1;
const INTERNAL_ERROR = -32603; // JSON-RPC 2.0, "Error object"

/** Calls skills for administrators and streams the JSON-RPC messages that an MCP client would get. */
@Injectable()
export class SkillTrials implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SkillTrials.name);
  private readonly running = new Set<MessageStream>();

  constructor(private readonly skills: SkillsService) {}

  /**
   * Calls a skill, and resolves when the call has ended. It is cancelled when the reader disconnects. @throws SkillNotFound
   * before the stream begins
   */
  async run(name: string, args: JsonObject, response: Response): Promise<void> {
    this.skills.assertCallable(name);
    const stream = new MessageStream(response);
    this.running.add(stream);
    const answer = await this.answer(name, args, stream);
    stream.send({ jsonrpc: '2.0', id: CALL_ID, ...answer });
    stream.end();
    this.running.delete(stream);
  }

  beforeApplicationShutdown(): void {
    for (const stream of this.running) stream.end();
  }

  private async answer(name: string, args: JsonObject, stream: MessageStream): Promise<object> {
    try {
      return { result: toResult(await this.skills.call(ADMIN_CLIENT, name, args, contextOf(stream))) };
    } catch (error) {
      this.logger.error(error);
      return { error: { code: INTERNAL_ERROR, message: 'Internal error: the service log says more' } };
    }
  }
}

function contextOf(stream: MessageStream): CallContext {
  const notify = (method: string, params: object) => stream.send({ jsonrpc: '2.0', method, params });
  return {
    signal: stream.signal,
    answers: {},
    state: undefined,
    canAsk: false,
    // Administrators follow runs on their pages.
    followsTasks: true,
    step: null,
    progress: (progress, total, message) =>
      notify('notifications/progress', { progressToken: CALL_ID, progress, total, message }),
    log: (level, data, logger) => notify('notifications/message', { level, logger, data }),
    // This stream cannot be resumed.
    releaseConnection: () => {},
  };
}

function toResult(output: CallOutput): object {
  if (isFollowRun(output)) return { resultType: 'task', taskId: output.runId, content: [text(output.message)] };
  if (!isInputRequired(output)) return output;
  return { resultType: 'input_required', inputRequests: output.inputRequests ?? {} };
}

import { HttpException, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { WebhookReceiver } from '../../features/workflows/triggers/webhooks/webhook-receiver.service.js';
import {
  InvalidMessage,
  InvalidSignature,
  MessageRepeated,
  WebhookNotFound,
} from '../../features/workflows/triggers/webhooks/webhooks.errors.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { MessageRefused } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { webhookPath } from '../../features/workflows/triggers/webhooks/webhook.js';
import { HookBodies } from './hook-bodies.service.js';
import { TooManyMessages, TooManyWrongSignatures } from './hooks.errors.js';
import { GuessLimit } from '../../access/clients/guess-limit.js';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';

/**
 * Throttles senders of wrong signatures, and of messages to webhooks that do not exist. Messages with a right signature are
 * always accepted.
 */
@Injectable()
export class WrongSignatures extends GuessLimit {
  constructor(attempts: RateLimitStore) {
    super(attempts, 'wrong signatures', 'signatures of webhook messages');
  }
}

/** Receives messages for webhooks from requests. */
@Injectable()
export class Messages {
  constructor(
    private readonly receiver: WebhookReceiver,
    private readonly bodies: HookBodies,
    private readonly wrongSignatures: WrongSignatures,
    private readonly events: EventBus,
  ) {}

  /** @throws TooManyWrongSignatures, and the errors of WebhookReceiver and HookBodies */
  async receive(name: string, request: Request): Promise<{ status: 'accepted' }> {
    try {
      const message = await this.receiver.announce(name, request.headers);
      await this.receiver.take(message, await this.bodies.read(request));
      return { status: 'accepted' };
    } catch (error) {
      const isGuess = error instanceof InvalidSignature || error instanceof WebhookNotFound;
      const waitSeconds = isGuess ? await this.wrongSignatures.record(request.ip, Date.now()) : 0;
      const refusal = waitSeconds > 0 ? new TooManyWrongSignatures(waitSeconds) : error;
      this.logRefusal(name, request, refusal);
      throw refusal;
    }
  }

  private logRefusal(name: string, { ip }: Request, refusal: unknown): void {
    const isKnown = refusal instanceof AppError || refusal instanceof HttpException;
    this.events.emit('webhook.refused', {
      subject: webhookPath(name),
      address: ip ?? null,
      outcome: outcomeOf(refusal),
      message: isKnown ? refusal.message : 'an unexpected error: see the log of the service',
      at: new Date(),
    });
  }
}

function outcomeOf(refusal: unknown): MessageRefused['outcome'] {
  if (refusal instanceof InvalidSignature) return 'denied';
  if (refusal instanceof WebhookNotFound) return 'unknown';
  if (refusal instanceof TooManyMessages || refusal instanceof TooManyWrongSignatures) return 'throttled';
  const isOfMessage =
    refusal instanceof InvalidMessage || refusal instanceof MessageRepeated || refusal instanceof HttpException;
  return isOfMessage ? 'invalid' : 'error';
}

import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { WebhookReceiver } from '../../features/workflows/triggers/webhooks/webhook-receiver.service.js';
import { InvalidSignature, WebhookNotFound } from '../../features/workflows/triggers/webhooks/webhooks.errors.js';
import { HookBodies } from './hook-bodies.service.js';
import { TooManyWrongSignatures } from './hooks.errors.js';
import { WrongSignatures } from './wrong-signatures.service.js';

/** Takes messages to webhooks from requests. */
@Injectable()
export class Messages {
  constructor(
    private readonly receiver: WebhookReceiver,
    private readonly bodies: HookBodies,
    private readonly wrongSignatures: WrongSignatures,
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
      throw waitSeconds > 0 ? new TooManyWrongSignatures(waitSeconds) : error;
    }
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { AppEvents } from './app-events.js';

type Listener<Name extends keyof AppEvents> = (event: AppEvents[Name]) => void;

/** Sends typed events. A listener that throws affects neither the sender nor other listeners; its error is logged. */
@Injectable()
export class EventBus {
  private readonly logger = new Logger(EventBus.name);

  constructor(private readonly emitter: EventEmitter2) {}

  emit<Name extends keyof AppEvents>(name: Name, event: AppEvents[Name]): void {
    this.emitter.emit(name, event);
  }

  /** Calls `listener` with each event of this name. Returns a function that ends the subscription. */
  on<Name extends keyof AppEvents>(name: Name, listener: Listener<Name>): () => void {
    const guarded: Listener<Name> = (event) => {
      try {
        listener(event);
      } catch (error) {
        this.logger.error({ err: error, event: name }, 'A listener failed');
      }
    };
    this.emitter.on(name, guarded);
    return () => void this.emitter.off(name, guarded);
  }
}

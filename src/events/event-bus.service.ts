import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { AppEvents } from './app-events.js';

type Listener<Name extends keyof AppEvents> = (event: AppEvents[Name]) => void;

/** The typed face of the event emitter. Listeners must not throw: an event is for reactions that may fail alone. */
@Injectable()
export class EventBus {
  constructor(private readonly emitter: EventEmitter2) {}

  emit<Name extends keyof AppEvents>(name: Name, event: AppEvents[Name]): void {
    this.emitter.emit(name, event);
  }

  /** Returns the function that ends the subscription. */
  on<Name extends keyof AppEvents>(name: Name, listener: Listener<Name>): () => void {
    this.emitter.on(name, listener);
    return () => void this.emitter.off(name, listener);
  }
}

import { Injectable } from '@nestjs/common';
import type { CloudEvent } from '#open-workflow';

type Publish = (event: CloudEvent) => Promise<void>;

/** Passes events that runs emit to the publisher. It breaks a dependency cycle: the publisher needs the engine that executes runs. */
@Injectable()
export class PublishedEvents {
  private publisher: Publish | null = null; // null = not set yet

  publishBy(publisher: Publish): void {
    this.publisher = publisher;
  }

  async publish(event: CloudEvent): Promise<void> {
    if (!this.publisher) throw new Error('PublishedEvents is used before the module is initialised');
    await this.publisher(event);
  }
}

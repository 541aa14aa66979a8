import { Injectable } from '@nestjs/common';
import type { CloudEvent } from '#open-workflow';

type Publish = (event: CloudEvent) => Promise<void>;

/** Takes the events that runs emit to where events are published, which itself needs what executes runs. */
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

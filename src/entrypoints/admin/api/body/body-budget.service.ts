import { Injectable } from '@nestjs/common';
import { TooManyBodies } from './body.errors.js';

/** Limit for the bodies of all requests in progress together, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface BodyShare {
  /** Reserves more of the budget. @throws TooManyBodies */
  take(bytes: number): void;
  release(): void;
}

/** Limits the total memory of request bodies. */
@Injectable()
export class BodyBudget {
  private held = 0;

  open(): BodyShare {
    let taken = 0;
    return {
      take: (bytes) => {
        if (this.held + bytes > MAX_BYTES) throw new TooManyBodies();
        this.held += bytes;
        taken += bytes;
      },
      release: () => {
        this.held -= taken;
        taken = 0;
      },
    };
  }
}

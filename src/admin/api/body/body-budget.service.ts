import { Injectable } from '@nestjs/common';
import { TooManyBodies } from './body.errors.js';

/** The bytes of all bodies that are read or worked on at the same time. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What one request holds of the budget. */
export interface BodyShare {
  /** @throws TooManyBodies */
  take(bytes: number): void;
  /** Gives all of it back. */
  release(): void;
}

/** Keeps the bodies of all requests together within the memory that there is for them. */
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

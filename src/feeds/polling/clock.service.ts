import { Injectable } from '@nestjs/common';

/** Time and chance, as tests may decide them. */
@Injectable()
export class FeedClock {
  now(): Date {
    return new Date();
  }

  /** From 0 to 1. */
  random(): number {
    return Math.random();
  }
}

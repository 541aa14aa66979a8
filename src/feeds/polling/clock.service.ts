import { Injectable } from '@nestjs/common';

/** Tells the time and gives random numbers; tests replace it. */
@Injectable()
export class FeedClock {
  now(): Date {
    return new Date();
  }

  /** Returns a random number from 0 up to, but not including, 1. */
  random(): number {
    return Math.random();
  }
}

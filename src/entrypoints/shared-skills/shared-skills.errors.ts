import { AppError } from '../../platform/errors/app-error.js';

/** Thrown when an address has asked too often, or for too many missing files. */
export class TooManyDownloads extends AppError {
  constructor(waitSeconds: number) {
    super('rate_limited', 'skills.too_many_downloads', `too many requests from this address: wait ${waitSeconds} s`, {
      retryAfterSeconds: waitSeconds,
    });
  }
}

/** Thrown when other downloads leave no room for this one. */
export class DownloadsFull extends AppError {
  constructor() {
    super('unavailable', 'skills.downloads_full', 'too many downloads right now: retry in a few seconds', {
      retryAfterSeconds: 5,
    });
  }
}

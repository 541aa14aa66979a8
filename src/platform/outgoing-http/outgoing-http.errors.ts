import { AppError } from '../errors/app-error.js';

/** Thrown when a request would reach an address that is neither public nor allowed. */
export class HostNotAllowed extends AppError {
  constructor(address: string, range: string) {
    super(
      'denied',
      'http.host_not_allowed',
      `${address} is not a public address (${range}), and the service sends no requests there. If it should, an administrator ` +
        `adds ${JSON.stringify(address)} to the setting http.allowed_hosts.`,
    );
  }
}

/**
 * Thrown when a name cannot be resolved, or resolves to a forbidden address. The message does not say which, because callers must
 * not probe the names of a private network. The log does.
 */
export class NoPublicAddress extends AppError {
  constructor(host: string) {
    super(
      'unavailable',
      'http.no_public_address',
      `${host} has no public address, so the service sends no requests there. If it is in your own network, an ` +
        `administrator adds ${JSON.stringify(host)} to the setting http.allowed_hosts; the log of the service says more.`,
    );
  }
}

/** Thrown when the service cannot request a URL. */
export class UnsupportedUrl extends AppError {
  constructor(
    url: string,
    readonly reason: string,
  ) {
    super('invalid', 'http.unsupported_url', `${JSON.stringify(url.slice(0, 200))} can't be requested: ${reason}`);
  }
}

/** Thrown when a response is larger than the caller allows. */
export class TooLarge extends AppError {
  constructor(url: string, maxBytes: number) {
    super('unavailable', 'http.too_large', `the response of ${url} is larger than ${maxBytes} bytes`);
  }
}

/** Thrown when a request is redirected too often. */
export class TooManyRedirects extends AppError {
  constructor(url: string, maxRedirects: number) {
    super('unavailable', 'http.too_many_redirects', `${url} redirects more than ${maxRedirects} times`);
  }
}

/** Thrown when the response, including redirects, was not complete in time. */
export class TimedOut extends AppError {
  constructor(url: string, timeoutMs: number) {
    super('unavailable', 'http.timed_out', `${url} did not answer completely within ${timeoutMs} ms`);
  }
}

/** Thrown when a connection cannot be opened or breaks, or the response is not HTTP. */
export class ConnectionFailed extends AppError {
  constructor(
    url: string,
    readonly reason: string,
  ) {
    super('unavailable', 'http.connection_failed', `${url} can't be reached: ${reason}`);
  }
}

import { AppError } from '../errors/app-error.js';

/** Thrown when a request would reach an address that is not public, and nobody allowed it. */
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
 * Thrown when a name leads nowhere, or where no request may go. Callers are not told which of both: the names of a private
 * network and their addresses are its own affair. The log says it.
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

/** Thrown when a URL is not one that the service requests. */
export class UnsupportedUrl extends AppError {
  constructor(url: string, reason: string) {
    super('invalid', 'http.unsupported_url', `${JSON.stringify(url.slice(0, 200))} can't be requested: ${reason}`);
  }
}

/** Thrown when a response is larger than the caller takes. */
export class TooLarge extends AppError {
  constructor(url: string, maxBytes: number) {
    super('unavailable', 'http.too_large', `the response of ${url} is larger than ${maxBytes} bytes`);
  }
}

/** Thrown when a request is redirected again and again. */
export class TooManyRedirects extends AppError {
  constructor(url: string, maxRedirects: number) {
    super('unavailable', 'http.too_many_redirects', `${url} redirects more than ${maxRedirects} times`);
  }
}

/** Thrown when the response, redirects included, was not complete in time. */
export class TimedOut extends AppError {
  constructor(url: string, timeoutMs: number) {
    super('unavailable', 'http.timed_out', `${url} did not answer completely within ${timeoutMs} ms`);
  }
}

/** Thrown when there is no connection, or it breaks, or what comes is not HTTP. */
export class ConnectionFailed extends AppError {
  constructor(url: string, reason: string) {
    super('unavailable', 'http.connection_failed', `${url} can't be reached: ${reason}`);
  }
}

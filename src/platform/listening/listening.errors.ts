import { AppError } from '../errors/app-error.js';

/** Thrown when the service manager passes something other than a listening TCP socket. */
export class SystemdSocketUnusable extends AppError {
  constructor(reason: string) {
    super(
      'invalid',
      'listening.given_socket_unusable',
      `the service manager passed a socket that cannot be used (${reason}): let ListenStream= in the socket unit be a port or address:port`,
    );
  }
}

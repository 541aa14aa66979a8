import { AppError } from './app-error.js';

/** Node's error for a port that cannot be opened: for an address, or for a name that cannot be resolved. */
type ListenError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

/** Returns one line that says why the service does not start, and what to do. */
export function startupProblemOf(error: unknown): string {
  if (error instanceof AppError) return `Agent Service cannot start: ${error.message}`;
  const { code, address, hostname, port, message, stack } = error as ListenError;
  switch (code) {
    case 'EADDRINUSE':
      return `Agent Service cannot start: ${address}:${port} is in use. Stop the other process, or set PORT to another port`;
    case 'EACCES':
      return `Agent Service cannot start: no permission to listen on port ${port}. Set PORT to one above 1023`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Agent Service cannot start: HOST ${address ?? hostname} is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0`;
    default:
      return `Agent Service cannot start: ${process.env['LOG_LEVEL'] === 'debug' ? stack : message}`;
  }
}

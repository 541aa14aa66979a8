import { randomBytes } from 'node:crypto';

/** Returns a name for a process's new stream of changes: `<process>/<random>`. */
export const newStreamName = (process: string): string => `${process}/${randomBytes(6).toString('base64url')}`;

export const processOf = (stream: string): string => stream.slice(0, stream.lastIndexOf('/'));

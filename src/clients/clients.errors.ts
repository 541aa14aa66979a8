import { AppError } from '../errors/app-error.js';

/** Thrown when the session to be ended does not exist (any more). */
export class SessionNotFound extends AppError {
  constructor(id: string) {
    super('not_found', 'sessions.session_not_found', `there is no session ${JSON.stringify(id)}: it may have ended`);
  }
}

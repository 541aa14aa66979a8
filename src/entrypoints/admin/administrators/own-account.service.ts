import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AdminAccess, type AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { Administrators } from '../../../access/accounts/administrators.service.js';
import { PresentPasswordWrong } from '../../../access/accounts/administrators.errors.js';
import { WrongPassword } from '../../../access/accounts/accounts.errors.js';
import type { OwnPasswordBody } from './account.schema.js';

/** Lets administrators change their own password. */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly access: AdminAccess,
    private readonly administrators: Administrators,
  ) {}

  /**
   * Replaces the password and ends all sessions. A browser gets a new session, so that it stays logged in.
   * @throws PresentPasswordWrong, and what AdminAccess and Administrators throw
   */
  async setPassword(
    { user, method }: AdminIdentity,
    { present, password }: OwnPasswordBody,
    request: Request,
    response: Response,
  ): Promise<void> {
    const account = await this.access.checkPassword(request, user, present).catch((error: unknown) => {
      // A browser would take the answer to a failed login as the end of its session.
      throw error instanceof WrongPassword ? new PresentPasswordWrong() : error;
    });
    await this.administrators.setPassword(account, password);
    if (method === 'session') await this.access.openSession(request, response, await this.administrators.get(user));
  }
}

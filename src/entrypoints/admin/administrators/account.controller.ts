import { Body, Delete, Get, Param, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdministratorView, AdminSessionView, OwnPasswordBody, toAdministratorView } from './administrators.schema.js';
import { AdminController, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { MaxBody } from '../api/body/input.interceptor.js';
import { Audited } from '../api/audited.decorator.js';
import { PageOf } from '../api/page.schema.js';
import { AdminAccess, type AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { WrongPassword } from '../../../access/accounts/accounts.errors.js';
import { PresentPasswordWrong } from '../../../access/accounts/administrators.errors.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { Administrators } from '../../../access/accounts/administrators.service.js';

const PASSWORDS_MAX_BYTES = 16_384;

/** Routes for the caller's own account, for every role. */
@AdminController('account')
@NeedsRole('member')
export class AccountController {
  constructor(
    private readonly access: AdminAccess,
    private readonly administrators: Administrators,
  ) {}

  @Get()
  @Operation('getAccount', 'Returns your own account')
  @Returns(AdministratorView)
  async get(@Admin() { user }: AdminIdentity): Promise<AdministratorView> {
    return toAdministratorView(await this.administrators.get(user));
  }

  @Put('password')
  @Audited({})
  @Operation(
    'setOwnPassword',
    'Changes your own password',
    'All your sessions end; a browser gets a new one with the response.',
  )
  @MaxBody(PASSWORDS_MAX_BYTES)
  @NoContent('The password is changed.')
  async setPassword(
    @Admin() { user, method }: AdminIdentity,
    @Body() { present, password }: OwnPasswordBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const account = await this.access.checkPassword(request, user, present).catch((error: unknown) => {
      // The UI would take the response to a failed login as the end of its session.
      throw error instanceof WrongPassword ? new PresentPasswordWrong() : error;
    });
    await this.administrators.setPassword(account, password);
    if (method === 'session') await this.access.openSession(request, response, await this.administrators.get(user));
  }

  @Get('sessions')
  @Operation('listOwnSessions', 'Lists your own browser sessions, latest login first')
  @Returns(PageOf(AdminSessionView))
  async sessions(@Admin() { user }: AdminIdentity): Promise<Page<AdminSessionView>> {
    return onePage(await this.administrators.listSessions(user));
  }

  @Delete('sessions')
  @Audited({})
  @Operation('endOwnSessions', 'Logs you out everywhere')
  @NoContent('All your sessions have ended, including this one.')
  endSessions(@Admin() { user }: AdminIdentity): Promise<void> {
    return this.administrators.endSessions(user);
  }

  @Delete('sessions/:id')
  @Audited({})
  @Operation('endOwnSession', 'Ends one of your own browser sessions')
  @NoContent('The session has ended.')
  endSession(@Param('id') id: string, @Admin() { user }: AdminIdentity): Promise<void> {
    return this.administrators.endSession(user, id);
  }
}

import { Body, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Creates, LoggedInOnly, Operation, PublicAdminController, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { MaxBody } from '../api/body/input.interceptor.js';
import { AdminAccess, type AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { ADMIN_ROLES, type AdminRole, BUILT_IN } from '../../../access/accounts/administrator.js';
import { OneOf, Text, Time } from '../api/fields.decorators.js';
import { SsoLogins } from '../single-sign-on/sso-logins.service.js';

class LogInBody {
  @Text({ max: 40, optional: true, default: BUILT_IN, says: 'The name of the account.' }) user: string = BUILT_IN;
  @Text({ max: 1024 }) password!: string;
}

class AdminIdentityView implements AdminIdentity {
  @Text({ example: BUILT_IN, says: 'The name of the account.' }) user!: string;
  @OneOf(ADMIN_ROLES, { enumName: 'AdminRole' }) role!: AdminRole;
  @OneOf(['basic', 'session']) method!: 'basic' | 'session';

  @Time({ nullable: true, says: 'When the browser session ends if it is not used; null with HTTP Basic.' })
  expiresAt!: Date | null;
}

class LogOutView {
  @Text({ nullable: true, says: 'Where to send the browser to log out at its provider, too; null = nowhere.' })
  to!: string | null;
}

/** A small limit, because this body needs no authentication. */
const LOGIN_MAX_BYTES = 4096;

/** Opens and ends the browser session of an administrator. */
@PublicAdminController('session')
export class LoginController {
  constructor(
    private readonly access: AdminAccess,
    private readonly sso: SsoLogins,
  ) {}

  @Post()
  @Audited({ kind: 'login' })
  @Operation('logIn', 'Logs an administrator in and sets the session cookie')
  @MaxBody(LOGIN_MAX_BYTES)
  @Creates(AdminIdentityView, 'Logged in: the session cookie is set.')
  logIn(
    @Body() { user, password }: LogInBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AdminIdentityView> {
    return this.access.logIn(request, response, user, password);
  }

  @Get()
  @Operation('getIdentity', 'Returns who is logged in')
  @LoggedInOnly()
  @NeedsRole('member')
  @Returns(AdminIdentityView)
  whoAmI(@Admin() admin: AdminIdentityView): AdminIdentityView {
    return admin;
  }

  @Delete()
  @Audited({ kind: 'logout' })
  @Operation(
    'logOut',
    'Logs out and ends the browser session',
    'Who came from a provider goes on to log out there, too.',
  )
  @LoggedInOnly()
  @NeedsRole('member')
  @Returns(LogOutView)
  async logOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<LogOutView> {
    return { to: await this.sso.logOut(request, response) };
  }
}

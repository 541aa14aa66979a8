import { Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { LoginProviders } from '../../../access/single-sign-on/login-providers.service.js';
import { SettingsService } from '../../../platform/config/settings.service.js';
import { Operation, PublicAdminController, Returns } from '../api/admin-controller.decorator.js';
import { LoginChoices, toChoices } from './login-providers.schema.js';
import { SsoLogins } from './sso-logins.service.js';

const Redirects = (description: string) => ApiResponse({ status: 303, description });

/** Logins at a provider, without authentication. */
@PublicAdminController('sso')
export class SsoController {
  constructor(
    private readonly logins: SsoLogins,
    private readonly providers: LoginProviders,
    private readonly settings: SettingsService,
  ) {}

  @Get('providers')
  @Operation('listLoginChoices', 'Lists the login providers that the login page offers')
  @Returns(LoginChoices)
  async choices(): Promise<LoginChoices> {
    return toChoices(await this.providers.list(), this.settings.get('sso.only') === 'on');
  }

  @Get('callback')
  @Operation('finishLogin', 'Takes the answer of a provider, and opens a browser session')
  @Redirects('To the requested path, with `login-error` in its query if the login failed.')
  finish(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<void> {
    return this.logins.finish(request, response);
  }

  @Get(':provider/start')
  @Operation('startLogin', 'Redirects the browser to a provider')
  @ApiQuery({ name: 'to', required: false, description: 'The path of this service that the login leads to.' })
  @Redirects('To the provider, or back with `login-error`.')
  start(
    @Param('provider') name: string,
    @Query('to') to: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    return this.logins.start(request, response, { name, to });
  }
}

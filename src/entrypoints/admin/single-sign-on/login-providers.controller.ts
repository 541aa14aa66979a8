import { Body, Delete, Get, Param, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { ProviderClient } from '../../../access/single-sign-on/provider-client.service.js';
import { LoginProviders } from '../../../access/single-sign-on/login-providers.service.js';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, type AuditedRequest, ChangesNothing } from '../api/audited.decorator.js';
import { PageOf } from '../api/page.schema.js';
import {
  NewLoginProviderBody,
  LoginProviderBody,
  LoginProviderTest,
  LoginProviderView,
  toProviderView,
} from './login-providers.schema.js';

/** Reads the provider that a route changes; the name of a new one is in the result of its route. */
const named = (controller: LoginProvidersController, { params, result }: AuditedRequest) =>
  controller.get(params['name'] ?? (result as LoginProviderView | undefined)?.name ?? '');

@AdminController('login-providers')
@NeedsRole('admin')
export class LoginProvidersController {
  constructor(
    private readonly providers: LoginProviders,
    private readonly client: ProviderClient,
  ) {}

  @Get()
  @Operation('listLoginProviders', 'Lists the login providers, without their secrets')
  @Returns(PageOf(LoginProviderView))
  async list(): Promise<Page<LoginProviderView>> {
    return onePage((await this.providers.list()).map(toProviderView));
  }

  @Post()
  @Audited<LoginProvidersController>({ state: named })
  @Operation('createLoginProvider', 'Adds an OpenID Connect provider for logins')
  @Creates(LoginProviderView)
  async create(@Body() { name, ...provider }: NewLoginProviderBody): Promise<LoginProviderView> {
    await this.providers.create(name, provider);
    return this.get(name);
  }

  @Get(':name')
  @Operation('getLoginProvider', 'Returns one provider')
  @Returns(LoginProviderView)
  async get(@Param('name') name: string): Promise<LoginProviderView> {
    return toProviderView(await this.providers.get(name));
  }

  @Put(':name')
  @Audited<LoginProvidersController>({ state: named })
  @Operation('updateLoginProvider', 'Changes a provider', 'A change of the issuer requires the secret again.')
  @Returns(LoginProviderView)
  async update(@Param('name') name: string, @Body() body: LoginProviderBody): Promise<LoginProviderView> {
    await this.providers.update(name, body);
    return this.get(name);
  }

  @Delete(':name')
  @Audited<LoginProvidersController>({ state: named })
  @Operation(
    'deleteLoginProvider',
    'Deletes a provider',
    'Accounts of people who logged in with it are kept, with their sessions.',
  )
  @NoContent('The provider is deleted.')
  remove(@Param('name') name: string): Promise<void> {
    return this.providers.remove(name);
  }

  @Post(':name/test')
  @ChangesNothing()
  @Operation('testLoginProvider', 'Fetches the discovery document of a provider, and returns its problems')
  @Creates(LoginProviderTest)
  async test(@Param('name') name: string, @Req() request: Request): Promise<LoginProviderTest> {
    return this.client.test(await this.providers.get(name), abortedWith(request));
  }
}

function abortedWith({ res }: Request): AbortSignal {
  const controller = new AbortController();
  res?.once('close', () => controller.abort());
  return controller.signal;
}

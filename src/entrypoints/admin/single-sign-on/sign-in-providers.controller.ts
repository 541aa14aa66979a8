import { Body, Delete, Get, Param, Post, Put, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Request } from 'express';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { ProviderClient } from '../../../access/single-sign-on/provider-client.service.js';
import { SignInProviders } from '../../../access/single-sign-on/sign-in-providers.service.js';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, NoContent, Operation } from '../api/admin-controller.decorator.js';
import { Audited, type AuditedRequest, ChangesNothing } from '../api/audited.decorator.js';
import { PageOf } from '../api/page.schema.js';
import {
  NewSignInProviderBody,
  SignInProviderBody,
  SignInProviderTest,
  SignInProviderView,
  toProviderView,
} from './sign-in-providers.schema.js';

/** Reads the provider that a route changes; a new one is named by what its route returns. */
const named = (controller: SignInProvidersController, { params, result }: AuditedRequest) =>
  controller.get(params['name'] ?? (result as SignInProviderView | undefined)?.name ?? '');

@AdminController('sign-in-providers')
@NeedsRole('admin')
export class SignInProvidersController {
  constructor(
    private readonly providers: SignInProviders,
    private readonly client: ProviderClient,
  ) {}

  @Get()
  @Operation('listSignInProviders', 'Lists the providers at which people log in, without their secrets')
  @ApiOkResponse({ type: PageOf(SignInProviderView) })
  async list(): Promise<Page<SignInProviderView>> {
    return onePage((await this.providers.list()).map(toProviderView));
  }

  @Post()
  @Audited<SignInProvidersController>({ state: named })
  @Operation('createSignInProvider', 'Adds an OpenID Connect provider at which people log in')
  @ApiCreatedResponse({ type: SignInProviderView })
  async create(@Body() { name, ...provider }: NewSignInProviderBody): Promise<SignInProviderView> {
    await this.providers.create(name, provider);
    return this.get(name);
  }

  @Get(':name')
  @Operation('getSignInProvider', 'Returns one provider')
  @ApiOkResponse({ type: SignInProviderView })
  async get(@Param('name') name: string): Promise<SignInProviderView> {
    return toProviderView(await this.providers.get(name));
  }

  @Put(':name')
  @Audited<SignInProvidersController>({ state: named })
  @Operation('updateSignInProvider', 'Changes a provider', 'With another issuer, enter the secret again.')
  @ApiOkResponse({ type: SignInProviderView })
  async update(@Param('name') name: string, @Body() body: SignInProviderBody): Promise<SignInProviderView> {
    await this.providers.update(name, body);
    return this.get(name);
  }

  @Delete(':name')
  @Audited<SignInProvidersController>({ state: named })
  @Operation('deleteSignInProvider', 'Deletes a provider', 'Accounts that its people have stay, with their sessions.')
  @NoContent('The provider is deleted.')
  remove(@Param('name') name: string): Promise<void> {
    return this.providers.remove(name);
  }

  @Post(':name/test')
  @ChangesNothing()
  @Operation('testSignInProvider', 'Reads the discovery document of a provider, and says what is wrong with it')
  @ApiCreatedResponse({ type: SignInProviderTest })
  async test(@Param('name') name: string, @Req() request: Request): Promise<SignInProviderTest> {
    return this.client.test(await this.providers.get(name), abortedWith(request));
  }
}

/** Returns a signal that aborts when the browser disconnects. */
function abortedWith({ res }: Request): AbortSignal {
  const controller = new AbortController();
  res?.once('close', () => controller.abort());
  return controller.signal;
}

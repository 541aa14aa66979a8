import { Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { AccountIdentities } from '../../../access/single-sign-on/account-identities.service.js';
import type { AccountIdentity } from '../../../access/single-sign-on/account-identity.store.js';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, type AuditedRequest, ChangesNothing } from '../api/audited.decorator.js';
import { Text, Time } from '../api/fields.decorators.js';
import { PageOf } from '../api/page.schema.js';
import { SsoLogins } from './sso-logins.service.js';

class AccountIdentityView implements AccountIdentity {
  @Text() id!: string;
  @Text({ example: 'https://login.example.com', says: 'The issuer of the provider.' }) issuer!: string;
  @Text({ says: 'The id of the person at the provider.' }) subject!: string;
  @Time() createdAt!: Date;
}

class LinkStartView {
  @Text({ says: 'Where to send the browser.' }) to!: string;
}

@AdminController('account/identities')
@NeedsRole('member')
export class OwnIdentitiesController {
  constructor(
    private readonly identities: AccountIdentities,
    private readonly logins: SsoLogins,
  ) {}

  @Get()
  @Operation('listOwnIdentities', 'Lists the identities at providers that your account is linked to')
  @Returns(PageOf(AccountIdentityView))
  async list(@Admin() { user }: AdminIdentity): Promise<Page<AccountIdentityView>> {
    return onePage(await this.identities.list(user));
  }

  @Post(':provider')
  @ChangesNothing()
  @Operation(
    'startLink',
    'Starts linking your account to your identity at a provider',
    'Requires a browser session that was opened with your password. The link is added to the audit log once it exists.',
  )
  @Creates(LinkStartView)
  async start(
    @Param('provider') name: string,
    @Admin() { user }: AdminIdentity,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LinkStartView> {
    await this.identities.assertMayLink(user);
    return { to: await this.logins.startLink(request, response, { name, account: user }) };
  }

  @Delete(':id')
  @Audited({})
  @Operation('removeOwnIdentity', 'Unlinks an identity from your account')
  @NoContent('The link is removed.')
  remove(@Param('id') id: string, @Admin() { user }: AdminIdentity): Promise<void> {
    return this.identities.removeOwn(user, id);
  }
}

/** Reads the links of the account that a route changes. */
const linksOf = (controller: IdentitiesController, { params }: AuditedRequest) => controller.list(params['name'] ?? '');

@AdminController('administrators/:name/identities')
@NeedsRole('admin')
export class IdentitiesController {
  constructor(private readonly identities: AccountIdentities) {}

  @Get()
  @Operation('listIdentities', 'Lists the identities at providers that an account is linked to')
  @Returns(PageOf(AccountIdentityView))
  async list(@Param('name') name: string): Promise<Page<AccountIdentityView>> {
    return onePage(await this.identities.list(name));
  }

  @Delete(':id')
  @Audited<IdentitiesController>({ state: linksOf })
  @Operation('removeIdentity', 'Unlinks an identity from an account', 'Its open sessions continue.')
  @NoContent('The link is removed.')
  remove(@Param('name') name: string, @Param('id') id: string): Promise<void> {
    return this.identities.remove(name, id);
  }
}

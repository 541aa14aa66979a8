import { Delete, Get, Param, Query } from '@nestjs/common';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { Grants } from '../../../access/oauth/grants.service.js';
import { mapPage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { Text } from '../api/fields.decorators.js';
import { PageOf } from '../api/page.schema.js';
import { GrantListView, GrantView, SignInSearchQuery, toGrantView } from './sign-ins.schema.js';

class GrantsQuery extends SignInSearchQuery {
  @Text({ max: 40, optional: true, says: 'Only those of this account.' }) person?: string;
  @Text({ max: 2_000, optional: true, says: 'Only those of this program, by its client_id.' }) program?: string;
}

/** The grants that people have given to programs. */
@AdminController('grants')
export class GrantsController {
  constructor(private readonly grants: Grants) {}

  @Get()
  @Operation('listGrants', 'Lists the permissions that people have given to programs, latest first')
  @Returns(PageOf(GrantView))
  async list(@Query() query: GrantsQuery): Promise<Page<GrantView>> {
    return mapPage(await this.grants.listPage(query), toGrantView);
  }

  @Delete(':id')
  @Audited<GrantsController>({ state: (controller, { params }) => controller.grants.get(params['id'] ?? '') })
  @Operation(
    'endGrant',
    "Revokes a person's permission for a program",
    'Its tokens are refused from then on, and its calls are aborted.',
  )
  @NoContent()
  async end(@Param('id') id: string): Promise<void> {
    await this.grants.end(id);
  }
}

@AdminController('account/grants')
@NeedsRole('member')
export class OwnGrantsController {
  constructor(private readonly grants: Grants) {}

  @Get()
  @Operation('listOwnGrants', 'Lists the programs that may act for you')
  @Returns(GrantListView)
  async list(@Admin() { user }: AdminIdentity): Promise<GrantListView> {
    return { items: (await this.grants.listOwn(user)).map(toGrantView) };
  }

  @Delete(':id')
  @Audited<OwnGrantsController>({ state: (controller, { params }) => controller.grants.get(params['id'] ?? '') })
  @Operation('endOwnGrant', "Revokes a program's permission to act for you")
  @NoContent()
  async end(@Param('id') id: string, @Admin() { user }: AdminIdentity): Promise<void> {
    await this.grants.end(id, user);
  }
}

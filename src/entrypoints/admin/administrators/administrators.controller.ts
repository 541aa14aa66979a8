import { Body, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, type AuditedRequest } from '../api/audited.decorator.js';
import { PageOf } from '../api/page.schema.js';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { OwnPassword } from '../../../access/accounts/administrators.errors.js';
import { Administrators } from '../../../access/accounts/administrators.service.js';
import {
  AdministratorBody,
  AdministratorView,
  AdminSessionView,
  NewAdministratorBody,
  NewPasswordBody,
  NewPasswordView,
  toAdministratorView,
} from './administrators.schema.js';

/** Reads the account that a route changes; the name of a new one is in the result of its route. */
const named = (controller: AdministratorsController, { params, result }: AuditedRequest): Promise<AdministratorView> =>
  controller.get(params['name'] ?? (result as NewPasswordView | undefined)?.name ?? '');

@AdminController('administrators')
@NeedsRole('admin')
export class AdministratorsController {
  constructor(private readonly administrators: Administrators) {}

  @Get()
  @Operation('listAdministrators', 'Lists the accounts by name')
  @Returns(PageOf(AdministratorView))
  async list(): Promise<Page<AdministratorView>> {
    return onePage((await this.administrators.list()).map(toAdministratorView));
  }

  @Post()
  @Audited<AdministratorsController>({ state: named })
  @Operation('createAdministrator', 'Adds an account; a generated password is shown once')
  @Creates(NewPasswordView)
  async create(@Body() { name, role, password = null }: NewAdministratorBody): Promise<NewPasswordView> {
    return { name, password: await this.administrators.create(name, role, password) };
  }

  @Get(':name')
  @Operation('getAdministrator', 'Returns one account')
  @Returns(AdministratorView)
  async get(@Param('name') name: string): Promise<AdministratorView> {
    return toAdministratorView(await this.administrators.get(name));
  }

  @Put(':name')
  @Audited<AdministratorsController>({ state: named })
  @Operation(
    'updateAdministrator',
    'Changes the role and the groups of an account, and disables or enables it',
    'Changing the role or disabling the account ends its sessions.',
  )
  @Returns(AdministratorView)
  async update(@Param('name') name: string, @Body() body: AdministratorBody): Promise<AdministratorView> {
    await this.administrators.update(name, body);
    return this.get(name);
  }

  @Delete(':name')
  @Audited<AdministratorsController>({ state: named })
  @Operation('deleteAdministrator', 'Deletes an account', 'Its sessions end. The account admin cannot be deleted.')
  @NoContent('The account is deleted.')
  remove(@Param('name') name: string): Promise<void> {
    return this.administrators.remove(name);
  }

  @Post(':name/password')
  @Audited<AdministratorsController>({ state: named })
  @Operation(
    'setAdministratorPassword',
    'Sets the password of another account; a generated one is shown once',
    'The sessions of the account end.',
  )
  @Creates(NewPasswordView)
  async setPassword(
    @Param('name') name: string,
    @Body() { password = null }: NewPasswordBody,
    @Admin() { user }: AdminIdentity,
  ): Promise<NewPasswordView> {
    if (name === user) throw new OwnPassword();
    const account = await this.administrators.get(name);
    return { name, password: await this.administrators.setPassword(account, password) };
  }

  @Get(':name/sessions')
  @Operation('listAdministratorSessions', 'Lists the browser sessions of an account, latest login first')
  @Returns(PageOf(AdminSessionView))
  async sessions(@Param('name') name: string): Promise<Page<AdminSessionView>> {
    return onePage(await this.administrators.listSessions(name));
  }

  @Delete(':name/sessions')
  @Audited<AdministratorsController>({ state: named })
  @Operation('endAdministratorSessions', 'Ends all browser sessions of an account')
  @NoContent('The sessions have ended.')
  endSessions(@Param('name') name: string): Promise<void> {
    return this.administrators.endSessions(name);
  }

  @Delete(':name/sessions/:id')
  @Audited<AdministratorsController>({ state: named })
  @Operation('endAdministratorSession', 'Ends one browser session of an account')
  @NoContent('The session has ended.')
  endSession(@Param('name') name: string, @Param('id') id: string): Promise<void> {
    return this.administrators.endSession(name, id);
  }
}

import { Injectable } from '@nestjs/common';
import { OwnPassword } from '../../../access/accounts/administrators.errors.js';
import { Administrators } from '../../../access/accounts/administrators.service.js';
import {
  type AdministratorBody,
  type AdministratorView,
  type NewAdministratorBody,
  type NewPasswordView,
  toAdministratorView,
} from './administrators.schema.js';

/** Serves the accounts of administrators to those with the role admin. */
@Injectable()
export class AdminAdministrators {
  constructor(private readonly administrators: Administrators) {}

  async list(): Promise<AdministratorView[]> {
    return (await this.administrators.list()).map(toAdministratorView);
  }

  async get(name: string): Promise<AdministratorView> {
    return toAdministratorView(await this.administrators.get(name));
  }

  async create({ name, role, password = null }: NewAdministratorBody): Promise<NewPasswordView> {
    return { name, password: await this.administrators.create(name, role, password) };
  }

  async update(name: string, { role }: AdministratorBody): Promise<AdministratorView> {
    await this.administrators.setRole(name, role);
    return this.get(name);
  }

  /** Sets the password of somebody else. @throws OwnPassword, and what Administrators throws */
  async setPassword(name: string, typed: string | null, by: string): Promise<NewPasswordView> {
    if (name === by) throw new OwnPassword();
    const account = await this.administrators.get(name);
    return { name, password: await this.administrators.setPassword(account, typed) };
  }
}

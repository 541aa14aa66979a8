import { Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { SIGN_IN_COOKIE } from '../../../access/oauth/authorization-server.service.js';
import { SignInNotFound } from '../../../access/oauth/oauth.errors.js';
import { SignIns } from '../../../access/oauth/sign-ins.service.js';
import { personName } from '../../../access/clients/person.js';
import { AdminController, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { ClientTools } from '../clients/client-tools.service.js';
import { SignInEndView, SignInView } from './sign-ins.schema.js';

/** Lets a person decide whether a program may act for them. Only the browser that started a sign-in can continue it. */
@AdminController('sign-ins')
@NeedsRole('member')
export class SignInsController {
  constructor(
    private readonly signIns: SignIns,
    private readonly tools: ClientTools,
  ) {}

  @Get(':id')
  @Operation('getSignIn', 'Returns which program asks to act for you, and what it could do')
  @Returns(SignInView)
  async get(@Param('id') id: string, @Admin() { user }: AdminIdentity, @Req() request: Request): Promise<SignInView> {
    assertStartedHere(request, id);
    const { name, proven, host, resources } = await this.signIns.get(id);
    const tools = this.tools.listOf(personName(user), proven || null);
    return { id, name, proven, host, resource: resources.join(', '), tools };
  }

  @Post(':id/allow')
  @Audited({ recordsResult: true })
  @Operation('allowSignIn', 'Permits a program to act for you')
  @Returns(SignInEndView)
  allow(@Param('id') id: string, @Admin() { user }: AdminIdentity, @Req() request: Request): Promise<SignInEndView> {
    assertStartedHere(request, id);
    return this.signIns.allow(id, user);
  }

  @Post(':id/deny')
  @Audited({ recordsResult: true })
  @Operation('denySignIn', "Refuses a program's request to act for you")
  @Returns(SignInEndView)
  deny(@Param('id') id: string, @Req() request: Request): Promise<SignInEndView> {
    assertStartedHere(request, id);
    return this.signIns.deny(id);
  }
}

/** @throws SignInNotFound when another browser started the sign-in: a grant given here would go to somebody there */
function assertStartedHere({ headers: { cookie = '' } }: Request, id: string): void {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  if (!pairs.includes(`${SIGN_IN_COOKIE}=${id}`)) throw new SignInNotFound();
}

import { Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { OAuthAddresses } from '../../../access/clients/oauth-addresses.service.js';
import { AdminController, Operation, Returns } from '../api/admin-controller.decorator.js';
import { OwnPages } from '../../../platform/service-info/own-page.service.js';
import { Overview, OverviewQuery, OwnPagePass, SignInAddressView } from './overview.schema.js';
import { OverviewService } from './overview.service.js';

@AdminController('overview')
export class OverviewController {
  constructor(
    private readonly overview: OverviewService,
    private readonly pages: OwnPages,
    private readonly addresses: OAuthAddresses,
  ) {}

  @Get()
  @Operation('getOverview', 'Returns the figures of the dashboard')
  @Returns(Overview)
  current(@Query() { period }: OverviewQuery): Promise<Overview> {
    return this.overview.current(period, new Date());
  }

  @Get('sign-in')
  @Operation(
    'getSignInAddress',
    'Returns the address where people sign in with their programs, or why sign-in is unavailable',
  )
  @Returns(SignInAddressView)
  signInAddress(): SignInAddressView {
    const { addresses } = this;
    return { url: addresses.endpoint(), lack: addresses.lack(), issuer: addresses.issuerElsewhere() };
  }

  @Get('own-page')
  @Operation(
    'getOwnPagePass',
    'Returns the token with which a page of the administration may test the endpoint',
    'Requests to the endpoint with this value in the header X-Own-Page may come from a page that was loaded from this Host.',
  )
  @Returns(OwnPagePass)
  ownPagePass(@Req() { headers }: Request): OwnPagePass {
    return { pass: this.pages.passFor(headers.host ?? '', new Date()) };
  }
}

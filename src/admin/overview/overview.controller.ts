import { Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AdminController, Operation } from '../api/admin-controller.decorator.js';
import { Overview, OverviewQuery } from './overview.schema.js';
import { OverviewService } from './overview.service.js';

@AdminController('overview')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  @Operation('getOverview', 'Returns the numbers of the dashboard')
  @ApiOkResponse({ type: Overview })
  current(@Query() { period }: OverviewQuery): Promise<Overview> {
    return this.overview.current(period, new Date());
  }
}

import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { prometheusContentType } from 'prom-client';
import { AdminGuard } from '../../../access/accounts/admin.guard.js';
import { Metrics } from './metrics.service.js';

/** For Prometheus, which logs in by HTTP Basic as an administrator with any role from viewer on. */
@ApiExcludeController()
@Controller('metrics')
@UseGuards(AdminGuard)
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('Content-Type', prometheusContentType)
  @Header('Cache-Control', 'no-store')
  current(): Promise<string> {
    return this.metrics.text();
  }
}

import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { HealthCheckResult } from '@nestjs/terminus';
import type { Health } from './health-facts.service.js';
import { HealthService } from './health.service.js';

/** For probes and people; needs no authorization. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  current(): Promise<Health> {
    return this.health.current();
  }

  /** The process responds. */
  @Get('live')
  @Header('Cache-Control', 'no-store')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 when requests should be sent here, else 503. */
  @Get('ready')
  @Header('Cache-Control', 'no-store')
  ready(): Promise<HealthCheckResult> {
    return this.health.assertReady();
  }
}

import { join } from 'node:path';
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { EnvironmentModule } from '../../platform/environment/environment.module.js';
import { PROJECT_ROOT } from '../../platform/environment/project-root.js';
import { AdminApiModule } from './admin-api.module.js';
import { neverCached, securityHeaders, HostCheck } from './api/admin.middleware.js';
import { ProblemFilter } from './api/problem.filter.js';
import { AdminUi, UI_FOLDER } from './ui/admin-ui.middleware.js';
import { RootController } from './ui/root.controller.js';

@Module({
  imports: [EnvironmentModule, AdminApiModule],
  controllers: [RootController],
  providers: [
    { provide: UI_FOLDER, useValue: join(PROJECT_ROOT, 'libs/admin-ui/dist') },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class AdminModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(securityHeaders, HostCheck, AdminUi).forRoutes('admin', 'admin/*path');
    consumer.apply(neverCached).forRoutes('admin/api/*path');
  }
}

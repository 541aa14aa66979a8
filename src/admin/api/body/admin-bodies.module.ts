import { Module } from '@nestjs/common';
import { ConfigModule } from '../../../config/config.module.js';
import { BodyBudget } from './body-budget.service.js';

/** What the controllers of the administration read bodies with. */
@Module({ imports: [ConfigModule], providers: [BodyBudget], exports: [BodyBudget] })
export class AdminBodiesModule {}

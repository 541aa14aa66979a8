import { Module } from '@nestjs/common';
import { BodyBudget } from './body-budget.service.js';

/** What the bodies of all requests to the REST API share. */
@Module({ providers: [BodyBudget], exports: [BodyBudget] })
export class BodiesModule {}

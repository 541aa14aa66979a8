import { Module } from '@nestjs/common';
import { BodyBudget } from './body-budget.service.js';

/** The one budget that the bodies of all requests share. */
@Module({ providers: [BodyBudget], exports: [BodyBudget] })
export class BodyModule {}

import { Module } from '@nestjs/common';
import { BodyBudget } from './body-budget.service.js';

/** What the controllers of all modules of the administration share to read bodies: one budget. */
@Module({ providers: [BodyBudget], exports: [BodyBudget] })
export class BodyModule {}

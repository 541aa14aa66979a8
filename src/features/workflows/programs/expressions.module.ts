import { Module } from '@nestjs/common';
import { RunExpressions } from './expressions.service.js';

@Module({ providers: [RunExpressions], exports: [RunExpressions] })
export class ExpressionsModule {}

import { Module } from '@nestjs/common';
import { OutgoingHttpModule } from '../../../platform/outgoing-http/outgoing-http.module.js';
import { HttpCalls } from './http-calls.service.js';

@Module({ imports: [OutgoingHttpModule], providers: [HttpCalls], exports: [HttpCalls] })
export class HttpCallsModule {}

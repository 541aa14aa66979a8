import { Module } from '@nestjs/common';
import { OutgoingHttpModule } from '../../outgoing-http/outgoing-http.module.js';
import { HttpCalls } from './http-calls.service.js';

@Module({ imports: [OutgoingHttpModule], providers: [HttpCalls], exports: [HttpCalls] })
export class HttpCallsModule {}

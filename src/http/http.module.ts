import { Module } from '@nestjs/common';
import { HostResolver } from './host-resolver.provider.js';
import { OutgoingHttp } from './outgoing-http.service.js';

@Module({ providers: [HostResolver, OutgoingHttp], exports: [OutgoingHttp] })
export class HttpModule {}

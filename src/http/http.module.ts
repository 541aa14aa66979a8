import { Global, Module } from '@nestjs/common';
import { HostResolver } from './host-resolver.provider.js';
import { OutgoingHttp } from './outgoing-http.service.js';

@Global()
@Module({ providers: [HostResolver, OutgoingHttp], exports: [OutgoingHttp] })
export class HttpModule {}

import { Module } from '@nestjs/common';
import { HostResolver } from './host-resolver.provider.js';
import { OutgoingHttp } from './outgoing-http.service.js';
import { TrustedProxies } from './trusted-proxies.provider.js';

@Module({ providers: [HostResolver, OutgoingHttp, TrustedProxies], exports: [OutgoingHttp, TrustedProxies] })
export class HttpModule {}

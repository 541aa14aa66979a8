import { Module } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { HostResolver } from './host-resolver.service.js';
import { OutgoingHttp } from './outgoing-http.service.js';

@Module({ imports: [ConfigModule], providers: [HostResolver, OutgoingHttp], exports: [OutgoingHttp] })
export class OutgoingHttpModule {}

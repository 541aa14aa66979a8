import { Module } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { EnvironmentModule } from '../environment/environment.module.js';
import { TrustedProxies } from './trusted-proxies.service.js';

@Module({ imports: [EnvironmentModule, ConfigModule], providers: [TrustedProxies], exports: [TrustedProxies] })
export class NetworkModule {}

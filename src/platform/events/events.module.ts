import { Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { EventBus } from './event-bus.service.js';

@Module({
  imports: [EventEmitterModule.forRoot({ global: false })],
  providers: [EventBus],
  exports: [EventBus],
})
export class EventsModule {}

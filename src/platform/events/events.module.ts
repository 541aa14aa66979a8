import { Module } from '@nestjs/common';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { EventBus } from './event-bus.service.js';

@Module({
  // More than a dozen services listen to the settings; none of them listens twice.
  imports: [EventEmitterModule.forRoot({ global: false, maxListeners: 40 })],
  providers: [EventBus],
  exports: [EventBus],
})
export class EventsModule {}

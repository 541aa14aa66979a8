import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { TriggersModule } from '../../features/workflows/triggers/triggers.module.js';
import { HookBodies } from './hook-bodies.service.js';
import { HooksController } from './hooks.controller.js';
import { Messages, WrongSignatures } from './messages.service.js';

@Module({
  imports: [DatabaseModule, EventsModule, TriggersModule],
  controllers: [HooksController],
  providers: [HookBodies, WrongSignatures, Messages],
})
export class HooksModule {}

import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../../platform/database/database.module.js';
import { EventsModule } from '../../../platform/events/events.module.js';
import { FeedsModule } from '../../feeds/feeds.module.js';
import { KnowledgeModule } from '../../knowledge/knowledge.module.js';
import { MemoryModule } from '../../memory/memory.module.js';
import { SecretsModule } from '../../../platform/secrets/secrets.module.js';
import { DefinitionsModule } from '../definitions/definitions.module.js';
import { RunsModule } from '../engine/runs.module.js';
import { TriggerClock } from './clock.js';
import { RunEventsModule } from '../runs/events/run-events.module.js';
import { EventSubjects } from './events/event-subjects.service.js';
import { EventWorkflows } from './events/event-workflows.service.js';
import { ServiceEvents } from './events/service-events.service.js';
import { TriggeredRuns } from './events/triggered-runs.service.js';
import { ScheduledStarts } from './schedules/scheduled-starts.service.js';
import { Schedules } from './schedules/schedules.service.js';
import { TickStore } from './schedules/tick.store.js';
import { TimetableStore } from './schedules/timetable.store.js';
import { TriggersHousekeeping } from './triggers-housekeeping.service.js';
import { WebhookReceiver } from './webhooks/webhook-receiver.service.js';
import { WebhookStore } from './webhooks/webhook.store.js';
import { Webhooks } from './webhooks/webhooks.service.js';

const EVENTS = [EventWorkflows, TriggeredRuns, EventSubjects, ServiceEvents];
const SCHEDULES = [TickStore, TimetableStore, ScheduledStarts, Schedules];
const WEBHOOKS = [WebhookStore, Webhooks, WebhookReceiver];

/** Starts runs without calls: by schedules, events of the service, and webhooks. */
@Module({
  imports: [
    DatabaseModule,
    EventsModule,
    SecretsModule,
    FeedsModule,
    KnowledgeModule,
    MemoryModule,
    DefinitionsModule,
    RunsModule,
    RunEventsModule,
  ],
  providers: [TriggerClock, ...EVENTS, ...SCHEDULES, ...WEBHOOKS, TriggersHousekeeping],
  exports: [Webhooks, WebhookReceiver],
})
export class TriggersModule {}

import { jest } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { ChangeNotifier } from './change-notifier.service.js';
import type { McpTransport } from './mcp-transport.provider.js';
import type { ToolSet } from './tool-set.service.js';

describe('a change that is reported while the service stops', () => {
  it('is not tried again for ever, which would keep the process alive', async () => {
    jest.useFakeTimers();
    const endpoint = { publish: () => Promise.reject(new Error('the database is closed')) };
    const transport = { endpoint } as object as McpTransport;
    const tools = { changedSinceRemembered: () => Promise.resolve(false) } as ToolSet;
    const events = new EventBus(new EventEmitter2());
    const notifier = new ChangeNotifier(events, transport, tools, {} as ReplicaChannel);
    notifier.onModuleInit();
    await notifier.onApplicationBootstrap();
    await notifier.onApplicationShutdown();
    events.emit('resources.changed', { store: 'memory' });
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

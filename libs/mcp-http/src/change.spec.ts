import {
  allListsChanged,
  type ChangeEvent,
  changeNotification,
  changeNotificationWith,
  everythingChanged,
  isFor,
  taskNotificationWith,
  withoutRepeats,
} from './change.js';

const META = { subscription: 'one "quoted"' };
const metaJson = JSON.stringify(META);

describe('a change', () => {
  it('concerns the client that owns the list, or every client if nobody owns it', () => {
    const own = { kind: 'tools_list_changed', client: 'alice' } as const;
    expect([isFor(own, 'alice'), isFor(own, 'bob')]).toEqual([true, false]);
    expect(isFor({ kind: 'tools_list_changed' }, 'bob')).toBe(true);
    expect(isFor({ kind: 'resource_updated', uri: 'a:1' }, 'bob')).toBe(true);
  });

  it.each([
    ['tools_list_changed', 'notifications/tools/list_changed'],
    ['prompts_list_changed', 'notifications/prompts/list_changed'],
    ['resources_list_changed', 'notifications/resources/list_changed'],
  ] as const)('%s of a list is sent as %s, without the owner of the list', (kind, method) => {
    const event = { kind, client: 'alice' };
    expect(JSON.parse(changeNotification(event))).toEqual({ jsonrpc: '2.0', method });
    expect(JSON.parse(changeNotificationWith(event)(metaJson))).toEqual({
      jsonrpc: '2.0',
      method,
      params: { _meta: META },
    });
  });

  it('of a resource is sent with its URI', () => {
    const [event, method] = [{ kind: 'resource_updated', uri: 'a:"1"' }, 'notifications/resources/updated'] as const;
    expect(JSON.parse(changeNotification(event))).toEqual({ jsonrpc: '2.0', method, params: { uri: event.uri } });
    expect(JSON.parse(changeNotificationWith(event)(metaJson))).toEqual({
      jsonrpc: '2.0',
      method,
      params: { uri: event.uri, _meta: META },
    });
  });

  it('of a task is sent as the whole task, with the `_meta` of the stream instead of its own', () => {
    const notification = taskNotificationWith({ taskId: 'one', status: 'working', _meta: { own: true } });
    for (const meta of [META, { subscription: 2 }]) {
      expect(JSON.parse(notification(JSON.stringify(meta)))).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/tasks',
        params: { taskId: 'one', status: 'working', _meta: meta },
      });
    }
  });
});

describe('several changes', () => {
  const logged = (...events: ChangeEvent[]) => events.map((event, index) => ({ seq: index + 1, event }));

  it('come without those that a later one repeats, in their order', () => {
    const changes = logged(
      { kind: 'resource_updated', uri: 'a:1' },
      { kind: 'tools_list_changed' },
      { kind: 'resource_updated', uri: 'a:2' },
      { kind: 'tools_list_changed', client: 'alice' },
      { kind: 'resource_updated', uri: 'a:1' },
      { kind: 'prompts_list_changed' },
      { kind: 'tools_list_changed' },
    );
    expect(withoutRepeats(changes)).toEqual([2, 3, 4, 5, 6].map((index) => changes[index]));
    expect(withoutRepeats([])).toEqual([]);
  });
});

describe('the notification when it is unknown what changed', () => {
  const LISTS = [
    { kind: 'tools_list_changed' },
    { kind: 'prompts_list_changed' },
    { kind: 'resources_list_changed' },
    { kind: 'task_changed', taskId: null },
  ];

  it('to all clients is every list and every task, up to the latest change', () => {
    expect(allListsChanged(10)).toEqual(LISTS.map((event, index) => ({ seq: 7 + index, event })));
  });

  it('to one client is also each resource that it watches, after the change that it knows', () => {
    const updated = ['a:1', 'a:2'].map((uri) => ({ kind: 'resource_updated', uri }));
    expect(everythingChanged(new Set(['a:1', 'a:2']), 10)).toEqual(
      [...LISTS, ...updated].map((event, index) => ({ seq: 11 + index, event })),
    );
  });
});

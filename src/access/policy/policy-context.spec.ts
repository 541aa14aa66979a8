import { CedarSet } from '#cedar';
import { UNKNOWN_ORIGIN } from '#skill-kit';
import {
  callerAttributes,
  contextOf,
  isKnownInLists,
  isKnownOfTemplates,
  isOfTheCaller,
  type WallClock,
} from './policy-context.js';
import { principalEntity, promptEntity, resourceEntity, toolEntity } from './policy-entities.js';
import type { ToolSubject } from './policy-request.js';

const CLOCK: WallClock = { hour: 7, weekday: 'friday' };
const TOOL: ToolSubject = { name: 'deploy', kind: 'code', tags: ['ops'], inputSchema: {} };

describe('the context of a request', () => {
  it('contains what is known of the caller, and an empty text for what is not', () => {
    expect(callerAttributes()).toEqual({
      program: '',
      programProven: false,
      programVersion: '',
      protocolVersion: '',
      era: '',
      fromWorkflow: false,
      workflow: '',
    });
    const origin = { ...UNKNOWN_ORIGIN, program: 'Cursor', programVersion: '2', protocolVersion: '2025-11-25' };
    expect(callerAttributes({ ...origin, run: { id: 'r', workflow: 'nightly' } })).toEqual({
      program: 'Cursor',
      programProven: false,
      programVersion: '2',
      protocolVersion: '2025-11-25',
      era: '2025',
      fromWorkflow: true,
      workflow: 'nightly',
    });
  });

  it.each([
    ['2024-11-05', '2025'],
    ['2025-11-25', '2025'],
    ['2026-07-28', '2026'],
  ])('puts the protocol version %s into the era %s', (protocolVersion, era) => {
    expect(callerAttributes({ ...UNKNOWN_ORIGIN, protocolVersion }).era).toBe(era);
  });

  it('of a long skill is not that of a workflow', () => {
    const run = { id: 'r', workflow: '' };
    expect(callerAttributes({ ...UNKNOWN_ORIGIN, run }).fromWorkflow).toBe(false);
  });

  it('has arguments only for a call', () => {
    const [call, read] = [{ tool: TOOL, arguments: { place: 'prod' } }, null].map((one) =>
      contextOf(callerAttributes(), CLOCK, one),
    );
    const known = [
      'program',
      'programProven',
      'programVersion',
      'protocolVersion',
      'era',
      'fromWorkflow',
      'workflow',
      'hour',
      'weekday',
    ];
    expect([...(read?.names() ?? [])]).toEqual(known);
    expect([...(call?.names() ?? [])]).toEqual([...known, 'args']);
    expect([call?.has('args'), read?.has('args'), read?.get('args')]).toEqual([true, false, undefined]);
    expect([read?.get('hour'), read?.get('weekday'), read?.get('program')]).toEqual([7, 'friday', '']);
  });

  it.each(['constructor', '__proto__', 'toString', 'other'])('has no %s', (name) => {
    const context = contextOf(callerAttributes(), CLOCK, null);
    expect([context.has(name), context.get(name)]).toEqual([false, undefined]);
  });
});

describe('what is known before a request', () => {
  it.each([
    ['context.program', [true, true, true]],
    ['context.hour', [false, true, true]],
    ['context.weekday', [false, true, true]],
    ['context.args', [false, false, false]],
    ['context.*', [false, false, false]],
    ['resource.store', [true, true, true]],
    ['resource.tags', [true, true, false]],
    ['resource.uri', [true, true, false]],
    ['resource.*', [true, true, false]],
  ])('of the caller, in lists, and of templates: %s', (read, known) => {
    expect([isOfTheCaller(read), isKnownInLists(read), isKnownOfTemplates(read)]).toEqual(known);
  });
});

describe('the entities of a request', () => {
  const hints = (annotations?: ToolSubject['annotations']) => {
    const { attributes } = toolEntity({ ...TOOL, ...(annotations && { annotations }) });
    return ['readOnly', 'destructive', 'idempotent', 'openWorld'].map((name) => attributes.get(name));
  };

  it('contain the name and the properties of a tool', () => {
    const { uid, attributes, ancestors } = toolEntity(TOOL);
    expect([uid.type, uid.id, [...ancestors]]).toEqual(['Tool', 'deploy', []]);
    expect([attributes.get('name'), attributes.get('kind'), attributes.get('tags')]).toEqual([
      'deploy',
      'code',
      CedarSet.of(['ops']),
    ]);
  });

  it('take the defaults of the specification for hints that a tool does not give', () => {
    expect(hints()).toEqual([false, true, false, true]);
    expect(hints({})).toEqual([false, true, false, true]);
  });

  it('take the hints that a tool gives; one that only reads destroys nothing', () => {
    expect(hints({ readOnlyHint: true, idempotentHint: true, openWorldHint: false })).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(hints({ destructiveHint: false })).toEqual([false, false, false, true]);
  });

  it('say of a resource to which store it belongs', () => {
    const storeOf = (uri: string) => resourceEntity(uri).attributes.get('store');
    expect([storeOf('memory://a/b'), storeOf('rss://x'), storeOf('none'), storeOf('')]).toEqual([
      'memory',
      'rss',
      '',
      '',
    ]);
  });

  it('say of a client in which groups it is', () => {
    const { attributes, ancestors } = principalEntity({ name: 'ada', groups: ['ops', 'people'] });
    expect([attributes.get('name'), ancestors.size]).toEqual(['ada', 2]);
    expect(promptEntity('review').attributes.get('name')).toBe('review');
  });
});

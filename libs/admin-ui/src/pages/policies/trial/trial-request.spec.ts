import { FIRST_TRIAL, toTest } from './trial-request';

describe('toTest', () => {
  it('omits empty fields, so that the service uses the current values', () => {
    expect(toTest({ ...FIRST_TRIAL, resource: ' echo ' }, { text: 'a' }, undefined)).toEqual({
      client: 'default',
      action: 'callTool',
      resource: 'echo',
      arguments: { text: 'a' },
    });
  });

  it('sends what was entered, even midnight, and the draft', () => {
    const fields = {
      client: 'ada',
      groups: ['people'],
      action: 'readResource',
      resource: 'memory://team/a',
      program: 'Cursor',
      protocolVersion: '2025-06-18',
      hour: 0,
      weekday: 'sunday',
      workflow: 'nightly',
    } as const;
    const draft = { name: 'a', policy: 'forbid (…);' };
    expect(toTest({ ...fields, groups: ['people'] }, { text: 'of a tool' }, draft)).toEqual({ ...fields, draft });
  });
});

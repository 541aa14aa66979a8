import { Scenario, TestHost } from '../testing.js';
import type { HttpResponse } from '../workflow-host.js';

type Answer = Partial<HttpResponse>;

/** Sends these responses in sequence; later requests succeed. */
function answering(...answers: (Answer | number)[]): TestHost {
  return new TestHost({}, () => {
    const answer = answers.shift() ?? 200;
    return typeof answer === 'number' ? { status: answer } : answer;
  });
}

const SEND = "call: http, with: { method: post, endpoint: 'https://example.com/' }";
const RETRY = 'retry: { delay: PT10S, limit: { attempt: { count: 5 } } }';
const trying = (tasks: string) => `do: [{ t: { try: [${tasks}], catch: { ${RETRY} } } }]`;
const ONE = trying(`{ send: { ${SEND} } }`);
const KEY = 'run-1:/do/0/t/try/0/send';

async function keysOf(host: TestHost, yaml = ONE): Promise<string[]> {
  await new Scenario(yaml, { host }).execute();
  return host.keys;
}

describe('the idempotency key of a request', () => {
  it.each([500, 502, 503, 504, 408, 409, 423, 425, 429, 302])('stays after status %d', async (status) => {
    expect(await keysOf(answering(status, status))).toEqual([KEY, KEY, KEY]);
  });

  it('stays when there was no answer', async () => {
    let calls = 0;
    const host = new TestHost({}, () => {
      if ((calls += 1) === 1) throw new Error('the connection broke');
      return {};
    });
    expect(await keysOf(host)).toEqual([KEY, KEY]);
  });

  it.each([400, 401, 403, 404, 410, 412, 422, 451])('is a new one after a refusal with %d', async (status) => {
    expect(await keysOf(answering(status, 503, status))).toEqual([KEY, `${KEY}~2`, `${KEY}~2`, `${KEY}~3`]);
  });

  it('is no part of the error that a workflow sees or ends with', async () => {
    const seen = { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', status: 404 };
    const members = ['type', 'status', 'title', 'detail', 'instance'];
    const caught = `do: [{ t: { try: [{ send: { ${SEND} } }], catch: { retry: { when: '$error.refusedKey', limit: { attempt: { count: 1 } } }, do: [{ tell: { set: '\${ $error }' } }] } } }]`;
    const output = await new Scenario(caught, { host: answering(404) }).output();
    expect(output).toMatchObject(seen);
    expect(Object.keys(output as object).sort()).toEqual(members.sort());
    const problem = await new Scenario(ONE, { host: answering(404, 404, 404, 404, 404, 404) }).problem();
    expect(problem).toMatchObject(seen);
    expect(Object.keys(problem).sort()).toEqual(members.sort());
  });

  it('stays for a request that succeeded, when one after it is refused', async () => {
    const yaml = trying(`{ pay: { ${SEND} } }, { send: { ${SEND} } }`);
    const [pay, send] = ['run-1:/do/0/t/try/0/pay', 'run-1:/do/0/t/try/1/send'];
    expect(await keysOf(answering(200, 422), yaml)).toEqual([pay, send, pay, `${send}~2`]);
  });

  it('is one for each iteration, of which only the refused one changes', async () => {
    const yaml = trying(`{ each: { for: { in: '[1, 2]' }, do: [{ send: { ${SEND} } }] } }`);
    const key = (index: number) => `run-1:/do/0/t/try/0/each/do/0/send#${index}`;
    expect(await keysOf(answering(200, 422), yaml)).toEqual([key(0), key(1), key(0), `${key(1)}~2`]);
  });

  it('is another one for another visit of the same task', async () => {
    const visits = `do: [{ send: { ${SEND} } }, { again: { if: '$context != 1', set: {}, export: { as: '1' }, then: send } }]`;
    const keys = await keysOf(answering(), visits);
    expect(new Set(keys).size).toBe(2);
  });

  it('is known in what has a deadline, and in a branch', async () => {
    const timed = trying(`{ send: { ${SEND}, timeout: { after: PT1M } } }`);
    expect(await keysOf(answering(503, 422), timed)).toEqual([KEY, KEY, `${KEY}~2`]);
    const forked = trying(`{ both: { fork: { branches: [{ send: { ${SEND} } }] } } }`);
    const key = 'run-1:/do/0/t/try/0/both/fork/branches/0/send';
    expect(await keysOf(answering(503, 422), forked)).toEqual([key, key, `${key}~2`]);
  });

  it('is never one again that was refused, where a try contains another', async () => {
    const inner = 'retry: { limit: { attempt: { count: 1 } } }';
    const yaml = trying(`{ inner: { try: [{ send: { ${SEND} } }], catch: { ${inner} } } }`);
    const key = 'run-1:/do/0/t/try/0/inner/try/0/send';
    const expected = [key, `${key}~2`, `${key}~3`, `${key}~3`];
    expect(await keysOf(answering(404, 404, 503), yaml)).toEqual(expected);
  });

  it('is the same after the process has died between two attempts', async () => {
    for (const step of ['/do/0/t/try/0/send', '/do/0/t/retry~2', '/do/0/t/try/0/send~2', '/do/0/t/try/0/send~3']) {
      const host = answering(422, 503);
      const scenario = new Scenario(ONE, { host });
      scenario.run.dies = (moment) => moment.step === step && moment.moment === 'is recorded';
      expect(await scenario.execute()).toEqual({ status: 'crashed' });
      scenario.run.dies = () => false;
      await scenario.output();
      expect(host.keys).toEqual([KEY, `${KEY}~2`, `${KEY}~2`]);
    }
  });
});

describe('Retry-After', () => {
  const DATE = 'Fri, 02 Jan 2026 03:00:00 GMT';
  const later = (status: number, value: string, date = DATE): Answer => ({
    status,
    headers: { 'retry-after': value, ...(date !== '' && { date }) },
  });

  /** Returns how many seconds the workflow waits before its second attempt; null = there is none. */
  async function delayAfter(answer: Answer, retry = RETRY): Promise<number | null> {
    const yaml = ONE.replace(RETRY, retry);
    const scenario = new Scenario(yaml, { host: answering(answer), steps: { isTimePassing: true } });
    await scenario.execute();
    const [sent, sleep] = scenario.run.records.values();
    if (sleep?.kind !== 'sleep') return null;
    return Math.floor(((sleep.wakeAt ?? 0) - Date.parse((sent?.result as { at: string }).at)) / 1000);
  }

  it.each([
    ['seconds', 429, '90', 90],
    ['seconds of a server that is down', 503, '90', 90],
    ['less than the policy waits anyway', 429, '3', 10],
    ['a date', 429, 'Fri, 02 Jan 2026 03:02:00 GMT', 120],
    ['an old form of a date', 503, 'Friday, 02-Jan-26 03:02:00 GMT', 120],
    ['the form of asctime', 503, 'Fri Jan  2 03:02:00 2026', 120],
    ['a date that has passed', 503, 'Thu, 01 Jan 2026 00:00:00 GMT', 10],
    ['longer than a day', 503, '9999999999', 86_400],
    ['a date in a year', 503, 'Sat, 02 Jan 2027 03:00:00 GMT', 86_400],
    ['nonsense', 503, 'soon', 10],
    ['a negative number', 503, '-90', 10],
    ['something with another status', 500, '90', 10],
  ])('of %s with %d counts', async (_, status, value, seconds) => {
    expect(await delayAfter(later(status, value))).toBe(seconds);
  });

  it('is read by the clock of this machine when the server does not say what time it is', async () => {
    expect(await delayAfter(later(503, 'Fri, 02 Jan 2026 03:05:05 GMT', ''))).toBe(60);
  });

  it('delays an attempt for which the policy has no delay', async () => {
    expect(await delayAfter(later(503, '7'), 'retry: { limit: { attempt: { count: 1 } } }')).toBe(7);
  });

  it('ends the attempts when it leads beyond the time that the policy gives them', async () => {
    const retry = 'retry: { delay: PT1S, limit: { duration: PT60S } }';
    expect(await delayAfter(later(503, '61'), retry)).toBeNull();
    expect(await delayAfter(later(503, '59'), retry)).toBe(59);
  });

  it('is in the error, which also the catch of a deadline sees', async () => {
    const timed = trying(`{ send: { ${SEND}, timeout: { after: PT1M } } }`);
    const scenario = new Scenario(timed, { host: answering(later(429, '90')) });
    await scenario.output();
    expect(scenario.run.records.get('/do/0/t/retry~2')?.wakeAt).toBeGreaterThan(
      Date.parse(scenario.run.info.startedAt) + 90_000,
    );
  });
});

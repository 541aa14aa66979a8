import { JqExpressions } from '#open-workflow';
import { newRun } from '../testing.js';
import { InterpretedPrograms } from './interpreted-programs.testing.js';
import { FOREVER, type Start } from './world.testing.js';

/** The second attempt of one request is in a branch, and both have a deadline: engines may execute these elsewhere. */
const RETRIED = `do:
  - t:
      try:
        - fork: { fork: { branches: [{ send: { call: http, with: { method: post, endpoint: 'https://a.example/' }, timeout: { after: PT1H } } }] } }
      catch: { retry: { limit: { attempt: { count: 3 } } } }`;

/** Tests that attempts know the previous ones, with steps of the interpreter. */
export function testRequests(start: Start): void {
  const expressions = new JqExpressions();
  afterAll(() => expressions.close());

  it('sends a request again with its idempotency key until it is refused for good, and as late as the server asks', async () => {
    const programs = new InterpretedPrograms({ tested: RETRIED }, expressions);
    const keys: string[] = [];
    const answers = [{ status: 503, headers: { 'retry-after': '1' } }, { status: 422 }, { status: 200 }];
    programs.request = async (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      return { headers: {}, body: new Uint8Array(), status: 500, ...answers.shift() };
    };
    const { runs } = await start(programs);
    const { id } = await runs.start(newRun('tested'));
    expect(await runs.follow(id, FOREVER)).toMatchObject({ status: 'completed' });
    const key = `${id}:/do/0/t/try/0/fork/fork/branches/0/send`;
    expect(keys).toEqual([key, key, `${key}~2`]);
    const [sleep] = (await runs.steps(id)).filter(({ kind }) => kind === 'sleep');
    // Engines differ in which of the two times they record first.
    expect(Number(sleep?.endedAt) - Number(sleep?.startedAt)).toBeGreaterThan(900);
  });
}

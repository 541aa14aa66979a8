import type { InputRequired, JsonObject } from '#skill-kit';
import {
  APPROVAL,
  type ApprovalRound,
  type ApprovedCall,
  isApprovalStep,
  keepApproval,
  nextOf,
  NOBODY,
} from './approval.js';

const CALL: ApprovedCall = {
  client: 'ide',
  tool: 'deploy',
  input: { place: 'prod' },
  question: 'Deploy now?',
  userMayApprove: false,
};
const ASKED_AT = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

const roundOf = (change: Partial<ApprovalRound> = {}): ApprovalRound => ({
  call: CALL,
  answers: {},
  state: undefined,
  nowMs: ASKED_AT,
  limitMinutes: 10,
  ...change,
});

function asked(round = roundOf()): InputRequired {
  const next = nextOf(round);
  if (next.kind !== 'ask') throw new Error(`the call was ${next.kind}`);
  return next.question;
}

const answered = (answer: unknown, change: Partial<ApprovalRound> = {}) =>
  nextOf(roundOf({ state: asked().state, answers: { [APPROVAL]: answer }, ...change }));

describe('a call that a person must confirm', () => {
  it('is shown to the person, with who makes it and its arguments', () => {
    const { inputRequests } = asked();
    expect(inputRequests).toMatchObject({
      [APPROVAL]: {
        method: 'elicitation/create',
        params: { message: 'Deploy now?\n\nide calls deploy with {\n  "place": "prod"\n}' },
      },
    });
  });

  it('is shown as it is, without characters that hide or reorder others', () => {
    const call = { ...CALL, input: { to: '\u202emoc.elpmaxe\u200b\u2028', '\u{e0041}ä\u0085': '❤️ 愛' } };
    expect(asked(roundOf({ call })).inputRequests?.[APPROVAL]?.params).toMatchObject({
      message:
        'Deploy now?\n\nide calls deploy with {\n  "to": "\\u202emoc.elpmaxe\\u200b\\u2028",\n  "\\udb40\\udc41ä\\u0085": "❤️ 愛"\n}',
    });
  });

  it.each([
    [4_000, false],
    [4_001, true],
  ])('is shown in full, or cut where it is too long: %d characters', (length, isCut) => {
    const call = { ...CALL, input: { a: 'x'.repeat(length - '{\n  "a": ""\n}'.length) } };
    const shown = JSON.stringify(asked(roundOf({ call })).inputRequests);
    expect(shown.includes('characters)')).toBe(isCut);
    expect(shown.length).toBeLessThan(4_300);
  });

  it('is granted by anyone who accepts it, once, without any state of the skill', () => {
    expect(answered({ action: 'accept', by: 'ada' })).toEqual({ kind: 'granted', by: 'ada', state: undefined });
  });

  it.each([
    [{ action: 'accept', by: 'ada' }, 'ada'],
    [{ action: 'accept', by: 'nobody' }, 'nobody'],
    [{ action: 'accept', by: 7 }, 'somebody'],
  ])('answered with %j is granted by %s', (answer, by) => {
    expect(answered(answer)).toMatchObject({ kind: 'granted', by });
  });

  it.each([true, false])('can be confirmed by its caller only where policies say so: %s', (userMayApprove) => {
    const { inputRequests } = asked(roundOf({ call: { ...CALL, userMayApprove } }));
    expect(inputRequests?.[APPROVAL]?.notCaller).toBe(!userMayApprove);
  });

  it.each([
    [{ action: 'decline', by: 'ada' }, 'ada has not confirmed it'],
    [{ action: 'cancel', by: 'ide' }, 'ide has not confirmed it'],
    [{ action: 'cancel', by: NOBODY }, 'nobody confirmed it in time'],
  ])('answered with %j is refused: %s', (answer, why) => {
    const next = answered(answer);
    expect(next.kind === 'refused' && next.message).toContain(why);
  });

  it('can be confirmed until its time is over', () => {
    const after = (ms: number) => answered({ action: 'accept' }, { nowMs: ASKED_AT + ms }).kind;
    expect([after(10 * MINUTE_MS), after(10 * MINUTE_MS + 1)]).toEqual(['granted', 'refused']);
  });

  it.each<[string, Partial<ApprovedCall>]>([
    ['other arguments', { input: { place: 'staging' } }],
    ['the same arguments in another order', { input: { ...{ b: 1 }, place: 'prod' } }],
    ['another tool', { tool: 'destroy' }],
    ['another client', { client: 'other' }],
    ['another question', { question: 'Really?' }],
    ['others who may confirm it', { userMayApprove: true }],
  ])('is asked about again with %s', (_title, change) => {
    expect(answered({ action: 'accept' }, { call: { ...CALL, ...change } }).kind).toBe('ask');
  });

  it.each([
    ['no answer', {}],
    ['an answer to another question', { other: { action: 'accept' } }],
    ['nothing', { [APPROVAL]: null }],
    ['what it inherits', Object.create({ [APPROVAL]: { action: 'accept' } }) as JsonObject],
  ])('is asked about again when the round brings %s', (_title, answers) => {
    expect(nextOf(roundOf({ state: asked().state, answers: answers })).kind).toBe('ask');
  });

  it.each([undefined, null, 'state', {}, { approval: {} }, { inner: 1 }])(
    'is asked about again when its state is %j',
    (state) => {
      expect(nextOf(roundOf({ state, answers: { [APPROVAL]: { action: 'accept' } } })).kind).toBe('ask');
    },
  );

  it('stays confirmed while the skill asks its own questions, whose state it gets back', () => {
    const question = keepApproval({ ...asked(), state: { step: 2 } }, CALL, 'ada', ASKED_AT);
    const next = nextOf(roundOf({ state: question.state, nowMs: ASKED_AT + 100 * MINUTE_MS }));
    expect(next).toEqual({ kind: 'granted', by: 'ada', state: { step: 2 } });
    const { state: _state, ...stateless } = asked();
    const later = keepApproval(stateless, CALL, 'ada', ASKED_AT);
    expect(nextOf(roundOf({ state: later.state }))).toEqual({ kind: 'granted', by: 'ada', state: undefined });
  });
});

describe('isApprovalStep', () => {
  it.each([
    [`/do/0/deploy?${APPROVAL}`, true],
    [`/do/0/deploy?${APPROVAL}!12`, true],
    [`/do/0/deploy?${APPROVAL}!x`, false],
    [`/do/0/${APPROVAL}`, false],
    [`/do/0/deploy?${APPROVAL}/more`, false],
  ])('of %s is %s', (step, is) => {
    expect(isApprovalStep(step)).toBe(is);
  });
});

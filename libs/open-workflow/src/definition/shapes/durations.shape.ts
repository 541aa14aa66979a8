import { DURATION, LONGEST_MS, TIME } from '../formats.js';
import { type ChoiceShape, type ObjectShape, type Shape, text } from '../shape.js';

const UNIT_MS: Record<string, number> = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1000,
  milliseconds: 1,
};

const PARTS: ObjectShape = {
  type: 'object',
  about: 'Parts that are added up.',
  properties: Object.fromEntries(
    Object.entries(UNIT_MS).map(([unit, ms]): [string, Shape] => [
      unit,
      { type: 'integer', about: `Number of ${unit}.`, least: 0, most: Math.floor(LONGEST_MS / ms) },
    ]),
  ),
  atLeastOne: Object.keys(UNIT_MS),
  check(node, report) {
    const total = Object.entries(UNIT_MS).reduce((sum, [unit, ms]) => {
      const part = node.value[unit];
      return sum + (typeof part === 'number' ? part * ms : 0);
    }, 0);
    if (total > LONGEST_MS) report([], 'must not be longer than 10 years');
  },
};

/** Returns the shape of a duration: ISO 8601 text, an expression that yields one, or parts. */
export const duration = (about: string): ChoiceShape => ({
  type: 'choice',
  about,
  text: text('An ISO 8601 duration, such as PT30S.', { expression: 'enclosed', format: DURATION }),
  object: PARTS,
});

/** How long a task waits, or until when; `until` is not part of the DSL. */
export const waitingTime: ChoiceShape = {
  ...duration('How long to wait, or until when.'),
  object: {
    ...PARTS,
    about: 'Parts that are added up, or a time.',
    properties: {
      ...PARTS.properties,
      until: text('A time, such as 2026-12-24T08:00:00Z; when it is over, the task does not wait.', {
        expression: 'enclosed',
        format: TIME,
      }),
    },
    atLeastOne: [...Object.keys(UNIT_MS), 'until'],
    check(node, report) {
      PARTS.check?.(node, report);
      if ('until' in node.value && Object.keys(node.value).length > 1)
        report(['until'], 'stands alone: it is a time, and the others are parts of a duration');
    },
  },
};

/** A duration that a schedule needs before a run exists, so it cannot be an expression. */
export const fixedDuration = (about: string): ChoiceShape => ({
  type: 'choice',
  about,
  text: text('An ISO 8601 duration, such as PT15M.', { format: DURATION }),
  object: PARTS,
});

const TIMEOUT: ObjectShape = {
  type: 'object',
  properties: { after: duration('How long it may take.') },
  required: ['after'],
};

export const timeoutDeclaration: ObjectShape = { ...TIMEOUT, about: 'A timeout that tasks name.' };

export const timeout: ChoiceShape = {
  type: 'choice',
  about: 'How long it may take; longer is an error that try can catch.',
  text: text('The name of one of use.timeouts.', { names: 'timeouts' }),
  object: TIMEOUT,
};

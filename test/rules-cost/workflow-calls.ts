import type { Schedule, WorkflowDefinition } from '#open-workflow';
import { ProtocolFault } from '#skill-kit';
import { newFeed, newItem } from '../../src/features/feeds/testing.js';
import * as authoring from '../../src/features/workflows/authoring/authoring.rules.js';
import * as waiting from '../../src/features/workflows/runs/waiting.rules.js';
import * as calls from '../../src/features/workflows/calls/calls.rules.js';
import * as triedTasks from '../../src/features/workflows/definitions/tried-task.rules.js';
import * as scheduleTexts from '../../src/features/workflows/definitions/schedule-text.rules.js';
import * as listenedPattern from '../../src/features/workflows/engine/listened-pattern.rules.js';
import * as listenedTypes from '../../src/features/workflows/engine/programs/listened-types.rules.js';
import * as fault from '../../src/features/workflows/runs/fault.rules.js';
import type { OpenQuestion, RunStep } from '../../src/features/workflows/runs/run.js';
import * as runStatus from '../../src/features/workflows/runs/run-status.rules.js';
import * as runView from '../../src/features/workflows/runs/run-view.rules.js';
import * as stepLabels from '../../src/features/workflows/runs/step-label.rules.js';
import * as taskStates from '../../src/features/workflows/runs/task-states.rules.js';
import * as triedEvents from '../../src/features/workflows/triggers/events/tried-event.rules.js';
import * as serviceEvent from '../../src/features/workflows/triggers/events/service-event.rules.js';
import * as secretLimits from '../../src/features/workflows/secrets/secret-limits.rules.js';
import * as schedule from '../../src/features/workflows/triggers/schedules/schedule.rules.js';
import { type Entry, OURS } from './entry.js';
import { DOCUMENT, ENDED_RUN, ENTRY, NOW, problem } from './samples.js';

const DEFINITION: WorkflowDefinition = {
  document: { dsl: '1.0.3', namespace: 'a', name: 'a', version: '1' },
  do: [],
};
const timetablesOf = (planned: Schedule, timezone = 'UTC') =>
  schedule.timetablesOf({
    ...DEFINITION,
    document: { ...DEFINITION.document, metadata: { timezone } },
    schedule: planned,
  });
const STEP: RunStep = {
  ...{ name: '/do/0/a', task: '/do/0/a', attempt: 1, kind: 'effect', status: 'completed', starts: 1 },
  ...{
    input: null,
    output: null,
    error: null,
    question: null,
    child: null,
    wakeAt: null,
    startedAt: NOW,
    endedAt: NOW,
  },
};
const questionOf = (message: string): OpenQuestion => ({
  runId: 'a',
  step: message,
  question: { message, schema: {} },
  notCaller: false,
  askedAt: NOW,
});
const listeningFor = (type: string) => ({ a: { listen: { to: { one: { with: { type } } } } } });

/** The rules of workflows, in the format of `RULES`. */
const runStatusOf = (text: string) =>
  runStatus.statusOf(
    {
      run: { ...ENDED_RUN, status: 'completed', output: text, error: { ...problem(text) } },
      steps: [{ ...STEP, name: text, task: text, error: problem(text), isCut: true }],
      stepCount: 2,
      questions: [questionOf(text)],
    },
    text,
    NOW,
  );

export const WORKFLOW_RULES: Record<string, Record<string, Entry>> = {
  'src/features/workflows/calls/calls.rules.ts': {
    waitingMessage: (text) => calls.waitingMessage(ENDED_RUN, [questionOf(text)], text),
  },
  'src/features/workflows/calls/annotations.rules.ts': { annotationsOf: 'looks at each task of a definition once' },
  'src/features/workflows/runs/waiting.rules.ts': {
    waitsForPerson: (text) => waiting.waitsForPerson([questionOf(text)], text),
  },
  'src/features/workflows/authoring/authoring.rules.ts': {
    problemsText: (text) =>
      authoring.problemsText([{ severity: 'error', path: text, line: 1, column: 1, message: text }]),
    proposedText: OURS,
  },
  'src/features/workflows/definitions/tried-task.rules.ts': {
    triedTask: [
      (text) => triedTasks.triedTask({ task: text, variables: {} }, { ...DEFINITION, do: [{ [text]: { set: {} } }] }),
      (text) =>
        triedTasks.triedTask(
          { task: `/do/0/a/${text}`, variables: {} },
          { ...DEFINITION, do: [{ a: { set: {} } }, { [text]: { set: {} } }] },
        ),
    ],
  },
  'src/features/workflows/definitions/workflow-reference.rules.ts': { partsOf: OURS },
  'src/features/workflows/definitions/schedule-text.rules.ts': {
    scheduleText: [
      (text) => scheduleTexts.scheduleText({ cron: text, every: text, after: text }),
      (text) => scheduleTexts.scheduleText({ on: { one: { with: { type: text } } } }),
    ],
  },
  'src/features/workflows/engine/listened-pattern.rules.ts': {
    asPattern: (text) => listenedPattern.asPattern(text),
    isMeant: [
      (text) => listenedPattern.isMeant(listenedPattern.asPattern('order\\..*'), text),
      (text) => listenedPattern.isMeant(listenedPattern.asPattern(text), 'order.paid'),
    ],
  },
  'src/features/workflows/engine/programs/listened-types.rules.ts': {
    listenedTypes: [
      (text) => listenedTypes.listenedTypes({ ...DEFINITION, do: [listeningFor(text)] }),
      (text) => listenedTypes.listenedTypes({ ...DEFINITION, do: [...text.slice(0, 10_000)].map(listeningFor) }),
    ],
  },
  'src/features/workflows/runs/fault.rules.ts': {
    problemOfFault: (text) => fault.problemOfFault(new ProtocolFault(text)),
    faultOf: (text) => fault.faultOf({ ...problem(text), rpcCode: 1 }),
  },
  'src/features/workflows/runs/run-view.rules.ts': {
    runUri: OURS,
    runView: (text) =>
      runView.runView({
        run: { ...ENDED_RUN, input: text },
        steps: [{ ...STEP, input: text, output: text, isCut: false }],
        stepCount: 2,
        questions: [questionOf(text)],
      }),
    shown: runView.shown,
  },
  'src/features/workflows/runs/run-status.rules.ts': {
    statusOf: (text) => runStatusOf(text),
    describeStatus: (text) => runStatus.describeStatus(runStatusOf(text)),
  },
  'src/features/workflows/runs/task-states.rules.ts': {
    taskStatesOf: (text) =>
      taskStates.taskStatesOf(
        { status: 'completed', error: null },
        [...text].map((task, last) => ({ task, kind: 'effect', status: 'completed', last })),
      ),
  },
  'src/features/workflows/runs/step-label.rules.ts': {
    stepLabel: [
      (text) => stepLabels.stepLabel({ name: text, task: text }),
      (text) => stepLabels.stepLabel({ name: `#${text}#1`, task: `/${text}` }),
    ],
    outermostTask: [stepLabels.outermostTask, (text) => stepLabels.outermostTask(`/do/1/${text}`)],
  },
  'src/features/workflows/triggers/events/tried-event.rules.ts': {
    exampleEvent: (text) => triedEvents.exampleEvent({ on: { one: { with: { type: text, data: { [text]: text } } } } }),
    triedEvent: OURS,
    mistakesOf: (text) => triedEvents.mistakesOf({ [text]: text, id: text }),
  },
  'src/features/workflows/secrets/secret-limits.rules.ts': {
    toHostEntry: [
      secretLimits.toHostEntry,
      (text) => secretLimits.toHostEntry(`*.${text}`),
      (text) => secretLimits.toHostEntry(`[${text}]`),
    ],
    isAmongHosts: [
      (text) => secretLimits.isAmongHosts(new URL('https://a.example/'), [text, `*.${text}`, `${text}:1`]),
      (text) => secretLimits.isAmongHosts(new URL(`https://a.example/${text}`), ['*.example']),
    ],
  },
  'src/features/workflows/triggers/schedules/schedule.rules.ts': {
    timetablesOf: [
      (text) => timetablesOf({ cron: text }),
      (text) => timetablesOf({ cron: '0 6 * * *' }, text),
      (text) => timetablesOf({ every: text, after: text }),
    ],
    nextTick: 'takes a timetable that was read',
    countTicks: 'takes a timetable that was read',
    lastTicks: 'takes a timetable that was read',
    dueTicks: 'takes a timetable that was read',
    catchUpOf: 'looks at one field',
    startAfter: OURS,
  },
  'src/features/workflows/triggers/events/service-event.rules.ts': {
    feedItemArrived: (text) =>
      serviceEvent.feedItemArrived(
        newFeed({ customTitle: text }),
        newItem({ title: text, url: text, author: text, summary: text, categories: [text] }),
        false,
        NOW,
      ),
    documentSaved: (text) =>
      serviceEvent.documentSaved({ ...DOCUMENT, title: text, content: text, source: text, path: text }),
    documentRemoved: OURS,
    memorySaved: (text) => serviceEvent.memorySaved({ ...ENTRY, content: text, client: text, program: text }),
    memoryRemoved: OURS,
    runEnded: OURS,
  },
};

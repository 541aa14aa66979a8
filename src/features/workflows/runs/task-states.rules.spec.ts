import { type StepsOfTask, taskStatesOf } from './task-states.rules.js';

const steps = (task: string, status: StepsOfTask['status'], last = 1): StepsOfTask => ({
  task,
  kind: 'effect',
  status,
  last,
});
const RUNNING = { status: 'running', error: null } as const;

it('is that of the last step, but an unfinished one takes precedence', () => {
  const found = [
    steps('/do/0/a', 'completed', 2),
    steps('/do/0/a', 'started', 1),
    steps('/do/1/b', 'completed', 4),
    steps('/do/1/b', 'failed', 3),
    steps('/do/2/c', 'waiting', 5),
    steps('/do/2/c', 'cancelled', 6),
  ];
  expect(taskStatesOf(RUNNING, found)).toEqual([
    { task: '/do/0/a', state: 'running' },
    { task: '/do/1/b', state: 'completed' },
    { task: '/do/2/c', state: 'waiting' },
  ]);
});

it('says where a person is asked, before all else', () => {
  const asked = { ...steps('/do/0/a', 'waiting', 1), kind: 'question' as const };
  expect(taskStatesOf(RUNNING, [steps('/do/0/a', 'started', 2), asked])).toEqual([
    { task: '/do/0/a', state: 'asking' },
  ]);
});

it('says where a run failed, also in a task that is no step', () => {
  const error = { type: 'x', status: 400, instance: '/do/0/set' };
  expect(taskStatesOf({ status: 'failed', error }, [])).toEqual([{ task: '/do/0/set', state: 'failed' }]);
  expect(taskStatesOf({ status: 'running', error }, [])).toEqual([]);
});

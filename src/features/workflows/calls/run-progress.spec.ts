import { RunProgress } from './run-progress.js';

const TASKS = ['collect', 'each item', 'send'];
/** A step of a task, by its name. */
const step = (name: string) => ({ name, task: name.replace(/[#@~?!][^/]*/g, '') });

describe('progress of a run', () => {
  it('counts the outermost tasks, and names them', () => {
    const progress = new RunProgress(TASKS);
    expect(progress.after(step('/do/0/collect'))).toEqual({
      progress: 1,
      total: 3,
      message: 'Finished collect (1 of 3)',
    });
    expect(progress.after(step('/do/2/send'))).toEqual({ progress: 3, total: 3, message: 'Finished send (3 of 3)' });
  });

  it('grows with each step within a task, and stays below the next task', () => {
    const progress = new RunProgress(TASKS);
    const told = [1, 2, 3].map((n) => progress.after(step(`/do/1/each item/do/0/save#${n}`)));
    expect(told.map((one) => one?.progress)).toEqual([1.5, 1 + 2 / 3, 1.75]);
    expect(told.map((one) => one?.message)).toEqual([1, 2, 3].map((n) => `Finished save (${n}) in each item (2 of 3)`));
  });

  it('grows also when a task is done again', () => {
    const progress = new RunProgress(TASKS);
    const names = ['/do/0/collect', '/do/1/each item/do/0/save', '/do/0/collect@2', '/do/0/collect@3', '/do/2/send'];
    const reached = names.map((name) => progress.after(step(name))?.progress ?? 0);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    expect(new Set(reached).size).toBe(5);
    expect(reached.at(-1)).toBe(3);
    expect(progress.after(step('/do/0/collect@4'))).toBeNull();
  });

  it('reports the progress of a step, and the task of the step', () => {
    const progress = new RunProgress(TASKS);
    const messageOf = (name: string, told?: Parameters<RunProgress['after']>[1]) =>
      progress.after(step(name), told)?.message;
    expect(messageOf('/do/0/collect', { progress: 2, total: 9, message: 'page 2' })).toBe('collect: page 2 (1 of 3)');
    expect(messageOf('/do/0/collect', { progress: 3, total: 9 })).toBe('collect: 3 of 9 (1 of 3)');
    expect(messageOf('/do/0/collect', { progress: 4 })).toBe('collect: 4 (1 of 3)');
    expect(messageOf('/do/1/each item/do/0/a~1b#2')).toMatch(/in each item \(2 of 3\)$/);
  });

  it('does not call a task finished that waits to be tried again, or got an answer', () => {
    const progress = new RunProgress(TASKS);
    expect(progress.after({ name: '/do/0/collect/retry~2', task: '/do/0/collect' })?.message).toBe(
      'Tries collect again (1 of 3)',
    );
    expect(progress.after({ name: '/do/0/collect?name', task: '/do/0/collect' })).toMatchObject({
      progress: 2 / 3,
      message: 'Got an answer for collect (1 of 3)',
    });
  });

  it('is what a skill reports, and nothing else', () => {
    const progress = new RunProgress([]);
    expect(progress.after(step('/call'), { progress: 2, total: 3 })).toEqual({ progress: 2, total: 3 });
    expect(progress.after(step('/call'))).toBeNull();
  });
});

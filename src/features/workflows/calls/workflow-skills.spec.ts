import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { skillsGround, skillsOn } from '../../../core/skills/testing.js';
import { Environment } from '../../../platform/environment/environment.js';
import { definitionsOn, workflowText } from '../definitions/testing.js';
import { engineOn } from '../engine/embedded/testing.js';
import { WrittenPrograms } from '../engine/testing.js';
import { RunPages } from '../runs/run-pages.service.js';
import { RunCaller } from './run-caller.service.js';
import { WorkflowSkills } from './workflow-skills.service.js';

describe('the tools of workflows', () => {
  it('are those of the last change, also when it comes while the service starts', async () => {
    const ground = await skillsGround();
    const { definitions, skills, events, close } = await definitionsOn(ground.database);
    const { runs, answers } = await engineOn(ground.database, new WrittenPrograms({}));
    const caller = new RunCaller(runs, answers, skillsOn(ground).limits, new RunPages(new Environment()));
    const offers = new WorkflowSkills(definitions, skills, caller, events);
    await offers.onModuleInit();
    await definitions.save(workflowText('one'), { source: 'admin' });
    const newer = await definitions.listEnabled();
    const older = Promise.withResolvers<typeof newer>();
    jest.spyOn(definitions, 'listEnabled').mockReturnValueOnce(older.promise).mockResolvedValueOnce(newer);
    const started = offers.onApplicationBootstrap();
    events.emit('workflows.changed', { names: ['one'] });
    await nextTurn();
    older.resolve([]);
    await started;
    await nextTurn();
    expect(offers.offerStateOf('one')).toEqual({ isTool: true, problem: null });
    await close();
  });
});

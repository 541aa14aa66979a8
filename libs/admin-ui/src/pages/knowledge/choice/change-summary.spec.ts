import type { ChangedDocument } from '../use-collection';
import { summaryOf } from './change-summary';

const became = (outcome: ChangedDocument['outcome']): ChangedDocument => ({
  id: 'a',
  title: 'A',
  outcome,
  version: 1,
  problem: null,
});

describe('the summary of a change of many documents', () => {
  it('counts what was changed, unchanged, and not attempted', () => {
    const deleted = [became('deleted'), became('deleted'), became('outdated'), became('missing')];
    expect(summaryOf({ change: { change: 'delete' }, documents: deleted, untried: [], problem: null })).toBe(
      '2 documents are deleted. 2 could not be deleted.',
    );
    const tagged = [became('updated'), became('unchanged')];
    const untried = [{ id: 'b', title: 'B', version: 1 }];
    const change = { change: 'tag' as const, addTags: ['ops'] };
    expect(summaryOf({ change: change, documents: tagged, untried, problem: 'no' })).toBe(
      '1 document is changed. 1 had the tags already. 1 may not be changed yet: still chosen.',
    );
  });
});

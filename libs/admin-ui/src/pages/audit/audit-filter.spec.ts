import { changeInWords, exportPath, filterOf } from './audit-filter';

it('filterOf reads known parameters from the address, and ignores the rest', () => {
  const params = new URLSearchParams('kind=call&client=ide&from=2026-01-31T08:30Z&to=never&q=&other=1');
  expect(filterOf(params)).toEqual({ kind: 'call', client: 'ide', from: '2026-01-31T08:30:00.000Z' });
  expect(filterOf(new URLSearchParams('kind=toString'))).toEqual({});
});

it('filterOf reads every filter of the page', () => {
  const texts = { kind: 'call', client: 'ide', actor: 'ada', tool: 'deploy', outcome: 'denied', q: 'x' };
  const all = { ...texts, from: '2026-01-31T08:30:00.000Z', to: '2026-02-01T08:30:00.000Z' };
  expect(filterOf(new URLSearchParams(all))).toEqual(all);
});

it('exportPath asks for the same entries', () => {
  expect(exportPath({})).toBe('/admin/api/audit/export');
  expect(exportPath({ client: 'a&b', outcome: 'denied' })).toBe('/admin/api/audit/export?client=a%26b&outcome=denied');
});

it('changeInWords recognises an operation by its words', () => {
  expect(changeInWords('setCurrentWorkflowVersion')).toBe('Set current workflow version');
  expect(changeInWords('logOut')).toBe('Log out');
});

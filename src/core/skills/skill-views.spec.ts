import { isForViewsOnly, RUN_VIEW_URI, SHOWN_AS_RUN, USED_BY_RUN_VIEW } from './skill-views.js';

describe('the view of runs', () => {
  it('is named by the skills whose results it shows, and by those that it calls', () => {
    expect(RUN_VIEW_URI).toBe('ui://runs/view.html');
    expect(SHOWN_AS_RUN).toEqual({ ui: { resourceUri: 'ui://runs/view.html' } });
    expect(USED_BY_RUN_VIEW).toEqual({ ui: { resourceUri: 'ui://runs/view.html', visibility: ['app'] } });
  });
});

describe('a skill', () => {
  it.each([[USED_BY_RUN_VIEW], [{ ui: { visibility: ['app'] } }], [{ ui: { visibility: [] } }]])(
    'is for views only that models do not see: %j',
    (meta) => {
      expect(isForViewsOnly(meta)).toBe(true);
    },
  );

  it.each([
    [undefined],
    [{}],
    [SHOWN_AS_RUN],
    [{ ui: null }],
    [{ ui: 'model' }],
    [{ ui: { visibility: 'app' } }],
    [{ ui: { visibility: ['model'] } }],
    [{ ui: { visibility: ['app', 'model'] } }],
  ])('is for models, too, when it does not say that it is not: %j', (meta) => {
    expect(isForViewsOnly(meta)).toBe(false);
  });
});

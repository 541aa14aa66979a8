import type { JsonObject } from '#skill-kit';

/** The page that assistants with MCP Apps (specification 2026-01-26) show for a run. */
export const RUN_VIEW_URI = 'ui://runs/view.html';

/** `meta` of a skill whose result is or may become a run: assistants show the view with the result. */
export const SHOWN_AS_RUN: JsonObject = { ui: { resourceUri: RUN_VIEW_URI } };

/** `meta` of a skill that only the view calls, on behalf of a person: models do not see it. */
export const USED_BY_RUN_VIEW: JsonObject = { ui: { resourceUri: RUN_VIEW_URI, visibility: ['app'] } };

/** Returns whether a skill is for views only, so that clients without views should not list it. */
export function isForViewsOnly(meta: JsonObject | undefined): boolean {
  const { visibility } = Object(meta?.['ui']) as { visibility?: unknown };
  return Array.isArray(visibility) && !visibility.includes('model');
}

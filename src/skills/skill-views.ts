import type { JsonObject } from '#skill-kit';

/** The page that assistants with MCP Apps (specification 2026-01-26) show for a run. */
export const RUN_VIEW_URI = 'ui://runs/view.html';

/** `meta` of a skill whose result is a run, or may become one: assistants show the view with the result. */
export const SHOWN_AS_RUN: JsonObject = { ui: { resourceUri: RUN_VIEW_URI } };

import type { JudgedQuery } from './judged-query.js';
import { HELD_OUT_KEYWORDS } from './held-out-keywords.js';
import { HELD_OUT_QUESTIONS } from './held-out-questions.js';

/** Held out: never choose a change of the ranking by its score on these queries. */
export const HELD_OUT: readonly JudgedQuery[] = [...HELD_OUT_QUESTIONS, ...HELD_OUT_KEYWORDS];

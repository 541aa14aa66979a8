import type { JudgedQuery } from './judged-query.js';
import { HELD_OUT_KEYWORDS } from './held-out-keywords.js';
import { HELD_OUT_QUESTIONS } from './held-out-questions.js';

/** What the ranking has not seen: no change to it may be chosen by how well it does on these. */
export const HELD_OUT: readonly JudgedQuery[] = [...HELD_OUT_QUESTIONS, ...HELD_OUT_KEYWORDS];

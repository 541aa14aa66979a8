import type { JudgedQuery } from './judged-query.js';
import { TUNED_KEYWORDS } from './tuned-keywords.js';
import { TUNED_QUESTIONS } from './tuned-questions.js';

/** Queries that the ranking may be tuned on. */
export const TUNED: readonly JudgedQuery[] = [...TUNED_QUESTIONS, ...TUNED_KEYWORDS];

import type { Schemas } from '../../api/client';

export type RunSummary = Schemas['RunSummaryView'];
export type FullRun = Schemas['RunView'];
export type RunStep = Schemas['StepView'];
export type RunLog = Schemas['RunLogView'];
export type OpenQuestion = Schemas['OpenQuestionView'];
export type RunProblem = Schemas['ProblemView'];
export type Repeat = Schemas['RepeatBody'];
export type TaskTest = Schemas['TaskTestBody'];

/** Returns whether a run may be repeated. As an administrator, the trial of a proposal would have other permissions. */
export const isRepeatable = ({ isTest, client }: FullRun): boolean => !isTest || client === 'admin';

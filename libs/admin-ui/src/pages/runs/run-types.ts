import type { Json } from '../../mcp/json-rpc';

export type RunStatus = 'pending' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';
export type StepStatus = 'started' | 'waiting' | 'completed' | 'failed' | 'cancelled';

export interface Problem {
  type: string;
  status: number;
  title?: string;
  detail?: string;
  instance?: string;
}

export interface RunSummary {
  id: string;
  program: 'workflow' | 'skill';
  name: string;
  version: string | null;
  status: RunStatus;
  origin: 'call' | 'schedule' | 'event' | 'admin' | 'parent' | 'repeat';
  client: string;
  parent: string | null;
  isTest: boolean;
  error: Problem | null;
  questions: number;
  wakeAt: string | null;
  createdAt: string;
  updatedAt: string;
  endedAt: string | null;
}

export interface RunStep {
  name: string;
  task: string;
  attempt: number;
  kind: 'effect' | 'sleep' | 'event' | 'child' | 'concurrent' | 'input';
  status: StepStatus;
  starts: number;
  input: unknown;
  output: unknown;
  error: Problem | null;
  question: { message: string; schema: Json } | null;
  child: string | null;
  wakeAt: string | null;
  startedAt: string;
  endedAt: string | null;
}

export interface RunLog {
  at: string;
  step: string | null;
  level: 'info' | 'warning' | 'error';
  message: string;
}

export interface OpenQuestion {
  runId: string;
  step: string;
  question: { message: string; schema: Json };
  askedAt: string;
}

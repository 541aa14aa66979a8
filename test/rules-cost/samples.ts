import type { Run } from '../../src/features/workflows/runs/run.js';

export const NOW = new Date('2026-11-21T12:00:00Z');
export const BASE = 'https://x.example/';
export const ENDED_RUN: Run = {
  id: 'a',
  program: 'skill',
  name: 'a',
  version: null,
  status: 'failed',
  origin: 'call',
  client: 'a',
  parent: null,
  isTest: false,
  input: {},
  output: null,
  error: null,
  questions: 0,
  wakeAt: null,
  createdAt: NOW,
  updatedAt: NOW,
  endedAt: NOW,
};
export const problem = (detail: string) => ({ type: BASE, status: 500, detail });
const DATES = { createdAt: NOW, updatedAt: NOW };
export const DOCUMENT = {
  ...DATES,
  id: 'd',
  title: 'a',
  content: 'a',
  tags: [],
  source: null,
  path: null,
  hash: '',
  version: 1,
};
export const ENTRY = {
  ...{ ...DATES, namespace: 'a', key: 'a', content: 'a', tags: [], client: 'a' },
  program: null,
  ...{ importance: 3, version: 1, expiresAt: null },
};

export const parts = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));

import { createRequire } from 'node:module';
import { resolve as path } from 'node:path';

/** A run of an official suite, and its criteria for passing. */
export interface Suite {
  title: string;
  cli: string;
  args: readonly string[];
  /** True if the CLI runs scenarios beyond those that it scores. */
  hasUnscored: boolean;
  /** Scenarios that must pass although the CLI does not score them. */
  alsoRequired: readonly string[];
  /** Those of them that the CLI runs only by name. */
  alone: readonly string[];
  scenarios: number;
  /** Skipped scenarios pass vacuously, so passed checks are counted too. */
  minChecksPassed: number;
}

const { resolve } = createRequire(path('tools/package.json'));
const current = resolve('@modelcontextprotocol/conformance/dist/index.js');
const previous = resolve('conformance-016/dist/index.js');

const TASKS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

const SKILLS = ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest', 'sep-2640-skills-directory'];

export const SUITES: readonly Suite[] = [
  {
    title: '0.2.0-alpha.12, requirements 2025-11-25',
    cli: current,
    args: ['--requirements', '2025-11-25'],
    hasUnscored: true,
    alsoRequired: [],
    alone: [],
    scenarios: 30,
    minChecksPassed: 80,
  },
  {
    title: '0.2.0-alpha.12, requirements 2026-07-28',
    cli: current,
    args: ['--requirements', '2026-07-28'],
    hasUnscored: true,
    alsoRequired: [...TASKS, ...SKILLS],
    alone: SKILLS,
    scenarios: 37,
    minChecksPassed: 160,
  },
  {
    title: '0.1.16, all',
    cli: previous,
    args: ['--suite', 'all'],
    hasUnscored: false,
    alsoRequired: [],
    alone: [],
    scenarios: 32,
    minChecksPassed: 40,
  },
];

export const AUTHORIZATION: Suite = {
  title: '0.2.0-alpha.12, authorization',
  cli: current,
  args: [],
  hasUnscored: false,
  alsoRequired: [],
  alone: [],
  scenarios: 2,
  minChecksPassed: 3,
};

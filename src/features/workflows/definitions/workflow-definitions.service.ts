import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { JsonObject, WorkflowDefinition } from '#open-workflow';
import { ReplicaChannel } from '../../../platform/database/replica-channel.service.js';
import { SharedRows } from '../../../platform/database/shared-rows.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import type { Page, PageRequest } from '../../../platform/paging/page-cursor.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { type CheckedWorkflow, DefinitionChecker } from './definition-checker.service.js';
import {
  InvalidWorkflow,
  TooManyProposals,
  VersionHasRun,
  VersionNotApproved,
  VersionProposed,
  VersionTaken,
  WorkflowDisabled,
  WorkflowConflict,
  WorkflowNameDiffers,
  WorkflowNameTaken,
  WorkflowNotFound,
} from './definitions.errors.js';
import type { ProposalOutcome, SavedWorkflow, Workflow, WorkflowSource, WorkflowVersion } from './workflow.js';
import { type VersionEntry, type WorkflowEntry, type WorkflowState, WorkflowStore } from './workflow.store.js';

export interface SaveOptions {
  source: WorkflowSource;
  /** True when calls and schedules start this version from now on; the default. */
  makeCurrent?: boolean;
  /** The name that the text must have; undefined = any. */
  name?: string;
  /** True when there must be no workflow with this name yet. */
  mustBeNew?: boolean;
  /** The revision that the caller knows; undefined = any. */
  basedOn?: string | undefined;
}

/** A client whose assistant writes workflows. */
export interface Author {
  owner: string;
  /** Returns whether it may know a skill or workflow; absent = all. */
  mayTellOf?: (name: string) => boolean;
}

/** Texts that are read at once. */
const TEXTS_AT_ONCE = 100;
/** Cached parsed texts, in addition to those of enabled workflows. */
const MOST_PARSED = 200;
/** Paths of the administration with which a name would collide. */
const RESERVED = new Set(['schema', 'validate', 'reference', 'new']);
/** Maximum versions that one client may propose per day. */
const MOST_PROPOSED = 200;
const DAY_MS = 86_400_000;

const PROPOSE_IT = 'workflow_propose takes one, and workflow_try runs the versions that you have proposed';

/** Saves, finds, lists and removes workflows, and caches the parsed texts. */
@Injectable()
export class WorkflowDefinitions implements OnModuleInit {
  private readonly logger = new Logger(WorkflowDefinitions.name);
  private readonly parsed = new Map<string, WorkflowDefinition>();
  /** The current versions of the enabled workflows, as last listed, by name; without those that have changed since. */
  private enabled: ReadonlyMap<string, WorkflowDefinition> = new Map();
  /** Counts the observed changes. */
  private generation = 0;
  /** The states of all workflows as last read, by name. */
  private states = new Map<string, WorkflowState>();
  /** The enabled workflows that are no longer valid, as last listed: each is logged once. */
  private leftOut: ReadonlySet<string> = new Set();
  private readonly rows = new SharedRows({
    read: () => this.noteStates(),
    onOwnChange: (names) => {
      this.events.emit('workflows.changed', { names });
      return Promise.all([this.replicas.notify('workflows'), ...this.listeners.map((listener) => listener())]);
    },
    onOthersChange: (names) => this.events.emit('workflows.changed', { names, isFromElsewhere: true }),
  });
  private readonly listeners: (() => Promise<void>)[] = [];

  constructor(
    private readonly store: WorkflowStore,
    private readonly checker: DefinitionChecker,
    private readonly skills: SkillRegistry,
    private readonly events: EventBus,
    private readonly replicas: ReplicaChannel,
  ) {}

  async onModuleInit(): Promise<void> {
    this.states = await this.readStates();
    this.replicas.on('workflows', () => this.reload());
  }

  /**
   * Makes each change on this replica wait for a listener that applies it, so that a workflow is a tool when the response to
   * saving it arrives.
   * @param listener resolves when the listener has applied the notified changes; never rejects
   */
  waitFor(listener: () => Promise<void>): void {
    this.listeners.push(listener);
  }

  /**
   * Checks a text. Never throws because of the text.
   * @param mayTellOf returns whether problems may tell the author about a skill or workflow; by default about all
   */
  validate(text: string, mayTellOf: (name: string) => boolean = () => true): Promise<CheckedWorkflow> {
    return this.checker.check(text, new Set(this.states.keys()), mayTellOf);
  }

  /**
   * Saves a version of a workflow.
   * @throws InvalidWorkflow, WorkflowNameDiffers, WorkflowNameTaken, WorkflowConflict, VersionHasRun, VersionProposed
   */
  async save(text: string, options: SaveOptions, now = new Date()): Promise<SavedWorkflow> {
    const { definition, problems } = await this.validate(text);
    if (!definition) throw new InvalidWorkflow(problems);
    const { name, version } = definition.document;
    if (options.name !== undefined && name !== options.name) throw new WorkflowNameDiffers(options.name, name);
    await this.assertNameFree(name, options.mustBeNew ?? false);
    const { source, makeCurrent = true, basedOn } = options;
    const saved = { name, version, document: text, source, author: null, createdAt: now };
    const outcome = await this.rows.change(() => this.store.save(saved, { makeCurrent, basedOn }));
    if (outcome === 'outdated') throw new WorkflowConflict(name);
    if (outcome === 'proposed') throw new VersionProposed(name, version);
    if (outcome === null) throw new VersionHasRun(name, version);
    return { workflow: await this.get(name), outcome, problems };
  }

  /**
   * Saves a version that a client's assistant has written. Calls and schedules do not start it until an administrator enables the
   * workflow, or makes the version current.
   * @throws InvalidWorkflow, WorkflowNameTaken, VersionTaken, TooManyProposals
   */
  async propose(
    text: string,
    { owner: author, mayTellOf }: Author,
    now = new Date(),
  ): Promise<SavedWorkflow<ProposalOutcome> & { version: string }> {
    const { definition, problems } = await this.validate(text, mayTellOf);
    if (!definition) throw new InvalidWorkflow(problems);
    const { name, version } = definition.document;
    await this.assertNameFree(name, false);
    const since = new Date(now.getTime() - DAY_MS);
    if ((await this.store.countProposed(author, since)) >= MOST_PROPOSED) throw new TooManyProposals(MOST_PROPOSED);
    const proposed = { name, version, document: text, source: 'assistant', author, createdAt: now } as const;
    const outcome = await this.rows.change(() => this.store.propose(proposed));
    if (outcome === null) throw new VersionTaken(name, version);
    return { workflow: await this.get(name), version, outcome, problems };
  }

  /**
   * Returns the definition of a version that a client has proposed. @throws WorkflowNotFound when the client has not proposed it,
   * InvalidWorkflow
   */
  async getProposed(name: string, version: string, author: string): Promise<WorkflowDefinition> {
    // Versions that have run stay readable after their workflow is removed.
    if (!(await this.find(name))) throw new WorkflowNotFound(name, undefined, PROPOSE_IT);
    const found = await this.store.findVersion(name, version);
    if (found?.author !== author) throw new WorkflowNotFound(name, version, PROPOSE_IT);
    return this.getDefinition(name, version);
  }

  /**
   * Returns the definition of a version that another workflow may start: from an enabled workflow, and not a proposal.
   * @param author the client whose proposals may be started, too; null = none
   * @throws WorkflowNotFound, WorkflowDisabled, VersionNotApproved, InvalidWorkflow
   */
  async getStartable(name: string, version: string, author: string | null): Promise<WorkflowDefinition> {
    const workflow = await this.get(name);
    const found =
      version === 'latest' || version === workflow.version ? workflow : await this.getVersion(name, version);
    if (author === null || found.author !== author) {
      if (!workflow.enabled) throw new WorkflowDisabled(name);
      if (found.author !== null && found !== workflow) throw new VersionNotApproved(name, version);
    }
    return this.getDefinition(name, found.version);
  }

  /** @throws WorkflowNotFound */
  async setEnabled(name: string, enabled: boolean, now = new Date()): Promise<Workflow> {
    const before = await this.get(name);
    if (before.enabled === enabled) return before;
    const isThere = await this.rows.change(() => this.store.setEnabled(name, enabled, now));
    if (!isThere) throw new WorkflowNotFound(name);
    return this.get(name);
  }

  /** Makes another version the one that calls and schedules start. @throws WorkflowNotFound */
  async setCurrent(name: string, version: string, now = new Date()): Promise<Workflow> {
    const before = await this.get(name);
    if (before.version === version) return before;
    const isThere = await this.rows.change(() => this.store.setCurrent(name, version, now));
    if (!isThere) throw new WorkflowNotFound(name, version);
    return this.get(name);
  }

  /** Removes a workflow. Versions that have run stay readable. @throws WorkflowNotFound */
  async remove(name: string): Promise<void> {
    if (!(await this.rows.change(() => this.store.delete(name)))) throw new WorkflowNotFound(name);
  }

  /** @throws WorkflowNotFound */
  async get(name: string): Promise<Workflow> {
    const workflow = await this.store.find(name);
    if (!workflow) throw new WorkflowNotFound(name);
    return workflow;
  }

  find(name: string): Promise<Workflow | undefined> {
    return this.store.find(name);
  }

  /** Returns a version; also one of a removed workflow, if it has run. @throws WorkflowNotFound */
  async getVersion(name: string, version: string): Promise<WorkflowVersion> {
    const found = await this.store.findVersion(name, version);
    if (!found) throw new WorkflowNotFound(name, version);
    return found;
  }

  /**
   * Returns the definition of a version, also of a disabled workflow.
   * @param version a version, or `latest`: the current one
   * @throws WorkflowNotFound, InvalidWorkflow when the saved text is no longer valid
   */
  async getDefinition(name: string, version: string): Promise<WorkflowDefinition> {
    const exact = version === 'latest' ? (await this.get(name)).version : version;
    const known = this.parsed.get(keyOf(name, exact));
    if (known) return known;
    const found = await this.getVersion(name, exact);
    const definition = await this.definitionOf(found);
    if (!definition) throw new InvalidWorkflow((await this.validate(found.document)).problems);
    return definition;
  }

  /** Returns the cached definition of a version; null when it is no longer valid. */
  async definitionOf({ name, version, document }: WorkflowVersion): Promise<WorkflowDefinition | null> {
    const key = keyOf(name, version);
    const current = this.enabled.get(name);
    const known = current?.document.version === version ? current : this.parsed.get(key);
    if (known) return known;
    const { generation } = this;
    await nextTurn(); // each takes some milliseconds, and there may be thousands
    const definition = await this.checker.parse(document);
    // A definition that was read before a change must not be cached after it.
    if (definition === null || generation !== this.generation) return definition;
    if (this.parsed.size >= MOST_PARSED) this.parsed.delete(this.parsed.keys().next().value ?? '');
    this.parsed.set(key, definition);
    return definition;
  }

  /** Returns one page of workflows in alphabetical order, of those whose name contains `q`. */
  listPage(query: PageRequest & { q?: string | undefined }): Promise<Page<Workflow>> {
    return this.store.listPage(query);
  }

  /** Returns one page of the versions of a workflow, last saved first. */
  listVersions(name: string, page: PageRequest): Promise<Page<VersionEntry>> {
    return this.store.listVersions(name, page);
  }

  /** Returns all workflows without their texts, in alphabetical order. */
  listEntries(): Promise<WorkflowEntry[]> {
    return this.store.listEntries();
  }

  /**
   * Returns the current definitions of the enabled workflows, in alphabetical order. Leaves out those that are no longer valid. Reads
   * only the texts of those that have changed.
   */
  async listEnabled(): Promise<WorkflowDefinition[]> {
    const { generation } = this;
    const enabled = new Map(this.enabled);
    const unread = this.listNames().filter((name) => this.states.get(name)?.enabled && !enabled.has(name));
    const leftOut = new Set<string>();
    while (unread.length > 0) {
      for (const workflow of await this.store.listEnabled(unread.splice(0, TEXTS_AT_ONCE))) {
        const definition = await this.definitionOf(workflow);
        if (definition) enabled.set(workflow.name, definition);
        else leftOut.add(keyOf(workflow.name, workflow.version));
      }
    }
    for (const key of leftOut)
      if (!this.leftOut.has(key)) this.logger.warn(`workflow ${key} is left out: its text is not valid any more`);
    this.leftOut = leftOut;
    if (generation === this.generation) this.enabled = enabled;
    return [...enabled.keys()].sort().flatMap((name) => enabled.get(name) ?? []);
  }

  editorSchema(): JsonObject {
    return this.checker.editorSchema(new Set(this.states.keys()));
  }

  /** Returns the names of all workflows that begin with a text, in alphabetical order. */
  listNames(prefix = '', most = Infinity): string[] {
    return [...this.states.keys()]
      .filter((name) => name.startsWith(prefix))
      .sort()
      .slice(0, most);
  }

  private async assertNameFree(name: string, mustBeNew: boolean): Promise<void> {
    const existing = await this.store.find(name);
    if (existing && mustBeNew) throw new WorkflowNameTaken(name, 'a workflow, which can be changed');
    if (existing) return;
    if (RESERVED.has(name)) throw new WorkflowNameTaken(name, 'the administration');
    if (this.skills.find(name)) throw new WorkflowNameTaken(name, 'a skill');
  }

  /** Reloads what was changed on another replica. */
  reload(): Promise<void> {
    return this.rows.reload();
  }

  /** Reads the states of all workflows; returns the names of the changed ones, and drops their cached definitions. */
  private async noteStates(): Promise<string[]> {
    const after = await this.readStates();
    const before = this.states;
    this.states = after;
    this.generation += 1;
    const names = [...new Set([...before.keys(), ...after.keys()])]
      .filter((name) => before.get(name)?.state !== after.get(name)?.state)
      .sort();
    const changed = new Set(names);
    for (const key of this.parsed.keys()) if (changed.has(nameOf(key))) this.parsed.delete(key);
    this.enabled = new Map([...this.enabled].filter(([name]) => !changed.has(name)));
    return names;
  }

  private async readStates(): Promise<Map<string, WorkflowState>> {
    return new Map((await this.store.listStates()).map((one) => [one.name, one]));
  }
}

const keyOf = (name: string, version: string): string => `${name} ${version}`;
const nameOf = (key: string): string => key.split(' ')[0] ?? key;

import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type { JsonObject as StoredObject, WorkflowDefinition } from '#open-workflow';
import {
  defineSkill,
  failure,
  type JsonObject,
  Skill,
  type SkillContext,
  type SkillDefinition,
  type SkillOutput,
} from '#skill-kit';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { SerialQueue } from '../../../platform/periodic/serial-queue.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { SHOWN_AS_RUN } from '../../../core/skills/skill-views.js';
import { tagsOf } from '../definitions/workflow.js';
import { WorkflowDefinitions } from '../definitions/workflow-definitions.service.js';
import { annotationsOf } from './annotations.rules.js';
import { RunCaller } from './run-caller.service.js';

/** The input schema of workflows that declare none. */
const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false };

/** Offers every enabled workflow as a skill of the same name, except those that events start: their input is the event. */
@Injectable()
export class WorkflowSkills implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger(WorkflowSkills.name);
  /** The offered workflows, with the text from which their skill was built. */
  private readonly offered = new Map<string, string>();
  /** Why enabled workflows are not offered, by name. */
  private readonly refused = new Map<string, string>();
  /** The workflows whose name is taken by another skill. */
  private waiting: ReadonlySet<string> = new Set();
  private startedByEvents: ReadonlySet<string> = new Set();
  private readonly changing = new SerialQueue();

  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly registry: SkillRegistry,
    private readonly caller: RunCaller,
    private readonly events: EventBus,
  ) {}

  async onModuleInit(): Promise<void> {
    const again = (isFromElsewhere: boolean) => {
      this.offerNext(isFromElsewhere).catch((error: unknown) => this.logger.error(error));
    };
    this.events.on('workflows.changed', ({ isFromElsewhere = false }) => again(isFromElsewhere));
    this.definitions.waitFor(() => this.changing.settled());
    this.events.on('skills.changed', ({ names, isFromElsewhere = false }) => {
      if (names.some((name) => this.waiting.has(name) && !this.registry.find(name))) again(isFromElsewhere);
    });
    await this.offerNext(false);
  }

  /**
   * Now all skills are registered, so the annotations of the workflows that call them are known. Other replicas need no
   * notification.
   */
  async onApplicationBootstrap(): Promise<void> {
    await this.offerNext(true);
  }

  /** Returns whether a workflow is a tool; if it could be but is not, with the problem. */
  offerStateOf(name: string): { isTool: boolean; problem: string | null } {
    if (this.offered.has(name) || this.startedByEvents.has(name))
      return { isTool: this.offered.has(name), problem: null };
    return { isTool: false, problem: this.refused.get(name) ?? 'its text is not valid any more: its page says why' };
  }

  /** An older list must not be offered after a newer one. */
  private offerNext(isFromElsewhere: boolean): Promise<void> {
    return this.changing.run(() => this.offerCurrent(isFromElsewhere));
  }

  private async offerCurrent(isFromElsewhere: boolean): Promise<void> {
    const enabled = await this.definitions.listEnabled();
    const { current = [], others = [] } = Object.groupBy(enabled, ({ schedule }) =>
      schedule?.on === undefined ? 'current' : 'others',
    );
    this.startedByEvents = new Set(others.map(({ document }) => document.name));
    const texts = new Map(current.map((definition) => [definition.document.name, this.offerOf(definition)]));
    const removed = [...this.offered].filter(([name, text]) => texts.get(name) !== text).map(([name]) => name);
    for (const name of removed) this.offered.delete(name);
    const refusedBefore = new Map(this.refused);
    this.refused.clear();
    const added = current.flatMap((definition) =>
      this.offered.has(definition.document.name) ? [] : this.skillOf(definition),
    );
    const refused = this.registry.replace({ removed, added, isFromElsewhere });
    for (const one of added) if (!refused.has(one)) this.offered.set(one.name, texts.get(one.name) ?? '');
    for (const [{ name }, error] of refused) this.refuse(name, error);
    for (const [name, problem] of this.refused)
      if (refusedBefore.get(name) !== problem)
        this.logger.warn(`the workflow ${name} is not offered as a tool: ${problem}`);
    this.waiting = new Set([...refused.keys()].map(({ name }) => name));
  }

  /** Returns the skill of a workflow; none when it cannot be one. */
  private skillOf(definition: WorkflowDefinition): SkillDefinition[] {
    try {
      return [defineSkill(new (this.handlerOf(definition))())];
    } catch (error) {
      this.refuse(definition.document.name, error);
      return [];
    }
  }

  private refuse(name: string, error: unknown): void {
    this.refused.set(name, error instanceof Error ? error.message : String(error));
  }

  /** Returns everything in a workflow on which its skill depends. */
  private offerOf(definition: WorkflowDefinition): string {
    const { document, input, output } = definition;
    return JSON.stringify([
      document,
      input?.schema,
      output?.schema,
      this.annotationsOf(definition),
      taskNames(definition),
    ]);
  }

  private annotationsOf(definition: WorkflowDefinition) {
    return annotationsOf(definition, (skill) => this.registry.find(skill)?.annotations);
  }

  private handlerOf(definition: WorkflowDefinition) {
    const { name, version, title, summary, metadata } = definition.document;
    const { caller } = this;
    const input = definition.input?.schema?.document;
    const output = definition.output?.schema?.document;
    const tasks = taskNames(definition);

    @Skill({
      name,
      ...(title !== undefined && { title }),
      description: summary ?? title ?? `Runs the workflow ${name}.`,
      input: input ?? NO_ARGUMENTS,
      ...(output?.['type'] === 'object' && { output }),
      annotations: this.annotationsOf(definition),
      meta: SHOWN_AS_RUN,
      kind: 'workflow',
      startsRun: true,
      tags: tagsOf(definition.document),
    })
    class WorkflowHandler {
      execute(args: JsonObject, { client, ...context }: SkillContext): SkillOutput | Promise<SkillOutput> {
        // A call that a person must approve continues as a run of the call itself.
        const isItsOwnCall = client.origin?.run?.workflow === '';
        if (context.step && !isItsOwnCall)
          return failure(`The workflow ${name} cannot be called as a function: use run.workflow.`);
        const run = {
          program: 'workflow',
          name,
          version,
          input: args as StoredObject,
          origin: client.name === 'admin' ? 'admin' : 'call',
          client,
          idempotencyKey: context.step?.idempotencyKey ?? null,
          isTest: false,
          depth: context.depth,
        } as const;
        if (context.step) return caller.callWithin(run, context.step, context.signal);
        return caller.call({ run, isBackground: metadata?.['background'] === true, tasks }, context);
      }
    }
    return WorkflowHandler;
  }
}

export const taskNames = (definition: WorkflowDefinition): string[] =>
  definition.do.flatMap((task) => Object.keys(task));

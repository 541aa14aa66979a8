import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { JsonObject as StoredObject, WorkflowDefinition } from '#open-workflow';
import { defineSkill, failure, type JsonObject, Skill, type SkillContext, type SkillOutput } from '#skill-kit';
import { EventBus } from '../../events/event-bus.service.js';
import { SkillRegistry } from '../../skills/skill.registry.js';
import { WorkflowDefinitions } from '../definitions/workflow-definitions.service.js';
import { RunCaller } from './run-caller.service.js';

const NO_ARGUMENTS = { type: 'object', properties: {} };

/** Offers every enabled workflow as a skill of the same name. */
@Injectable()
export class WorkflowSkills implements OnModuleInit {
  private readonly logger = new Logger(WorkflowSkills.name);
  /** The workflows on offer, with the text from which their skill was made. */
  private readonly offered = new Map<string, string>();
  private changing: Promise<void> = Promise.resolve();

  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly registry: SkillRegistry,
    private readonly caller: RunCaller,
    private readonly events: EventBus,
  ) {}

  async onModuleInit(): Promise<void> {
    this.events.on('workflows.changed', () => {
      this.changing = this.changing.then(() => this.offerCurrent()).catch((error: unknown) => this.logger.error(error));
    });
    await this.offerCurrent();
  }

  private async offerCurrent(): Promise<void> {
    const current = await this.definitions.listEnabled();
    const wanted = new Map(current.map(({ definition }) => [definition.document.name, definition]));
    const texts = new Map([...wanted].map(([name, definition]) => [name, offerOf(definition)]));
    const outdated = [...this.offered].filter(([name, text]) => texts.get(name) !== text).map(([name]) => name);
    for (const name of outdated) this.offered.delete(name);
    this.registry.remove(...outdated);
    for (const [name, definition] of wanted) if (!this.offered.has(name)) this.offer(definition);
  }

  private offer(definition: WorkflowDefinition): void {
    const { name } = definition.document;
    try {
      this.registry.add([defineSkill(new (this.handlerOf(definition))())]);
      this.offered.set(name, offerOf(definition));
    } catch (error) {
      this.logger.warn(`the workflow ${name} is not offered as a tool: ${String(error)}`);
    }
  }

  private handlerOf(definition: WorkflowDefinition) {
    const { name, version, title, summary, metadata } = definition.document;
    const { caller } = this;
    const input = definition.input?.schema?.document;
    const output = definition.output?.schema?.document;

    @Skill({
      name,
      ...(title !== undefined && { title }),
      description: summary ?? title ?? `Runs the workflow ${name}.`,
      input: input ?? NO_ARGUMENTS,
      ...(output?.['type'] === 'object' && { output }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    })
    class WorkflowHandler {
      execute(args: JsonObject, { client, ...context }: SkillContext): SkillOutput | Promise<SkillOutput> {
        if (context.step) return failure(`The workflow ${name} cannot be called as a function: use run.workflow.`);
        const run = {
          program: 'workflow',
          name,
          version,
          input: args as StoredObject,
          origin: client.name === 'admin' ? 'admin' : 'call',
          client,
          idempotencyKey: null,
          isTest: false,
        } as const;
        return caller.call({ run, isBackground: metadata?.['background'] === true }, context);
      }
    }
    return WorkflowHandler;
  }
}

/** Returns everything of a workflow that its skill is made from. */
const offerOf = ({ document, input, output }: WorkflowDefinition): string =>
  JSON.stringify([document, input?.schema, output?.schema]);

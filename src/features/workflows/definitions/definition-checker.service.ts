import { Injectable } from '@nestjs/common';
import { isStorable } from '#bounded-json';
import {
  completeInspection,
  type DefinitionProblem,
  type Inspection,
  type JsonObject,
  type WorkflowDefinition,
  workflowSchema,
} from '#open-workflow';
import type { Parsed } from '#skill-kit';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { isReservedType } from '../runs/events/event-types.js';
import { RunExpressions } from './expressions.service.js';
import { DefinitionReader } from './definition-reader.service.js';

/** A parsed text, with all its problems. */
export interface CheckedWorkflow extends Pick<Inspection, 'name' | 'places'> {
  /** null when there are errors. */
  definition: WorkflowDefinition | null;
  problems: DefinitionProblem[];
}

/** Checks the texts of workflows: the text itself, whether the called skills exist, and the expressions. */
@Injectable()
export class DefinitionChecker {
  constructor(
    private readonly reader: DefinitionReader,
    private readonly skills: SkillRegistry,
    private readonly expressions: RunExpressions,
  ) {}

  /**
   * @param workflows the names of all workflows
   * @param mayTellOf returns whether problems may tell the author about a skill or workflow
   */
  async check(
    text: string,
    workflows: ReadonlySet<string>,
    mayTellOf: (name: string) => boolean,
  ): Promise<CheckedWorkflow> {
    const inspection = await this.reader.read(text);
    const { name, places } = inspection;
    const { definition, problems } = await completeInspection(inspection, {
      workflows,
      knowsFunction: (called) => this.skills.find(called) !== undefined,
      whyAbsent: (called) => this.skills.whyAbsent(called),
      functionNames: () => this.functionsBeside(workflows).map((skill) => skill.name),
      inputSchemaOf: (called) => this.skills.find(called)?.inputSchema as JsonObject | undefined,
      argumentProblems: (called, args) => problemsIn(this.skills.find(called)?.parse(args)),
      mayTellOf,
      isReservedEvent: isReservedType,
      checkExpressions: (programs, variables) => this.expressions.check(programs, variables),
    });
    if (isStorable(text)) return { name, places, definition, problems };
    const message = 'the text has NUL or half a character in it, which cannot be stored: remove it';
    const unstorable: DefinitionProblem = { severity: 'error', path: '', line: 1, column: 1, message };
    return { name, places, definition: null, problems: [unstorable, ...problems] };
  }

  /** Returns the JSON Schema of workflows, with the skills that may be called. @param workflows the names of all workflows */
  editorSchema(workflows: ReadonlySet<string>): JsonObject {
    const functions = this.functionsBeside(workflows).map(({ name, description, inputSchema }) => ({
      name,
      description: description.split(/(?<=\.)\s/, 1)[0] ?? '', // the first sentence
      inputSchema: inputSchema as JsonObject,
    }));
    return workflowSchema(functions);
  }

  private functionsBeside(workflows: ReadonlySet<string>) {
    return this.skills.list().filter(({ name }) => !workflows.has(name));
  }

  /** Returns the definition that was valid when it was saved; null when it no longer is. */
  async parse(text: string): Promise<WorkflowDefinition | null> {
    return (await this.reader.read(text)).definition;
  }
}

/** Null = checking could take long: only the call does. */
const problemsIn = (parsed: Parsed | null | undefined): readonly string[] =>
  parsed && 'problems' in parsed ? parsed.problems : [];

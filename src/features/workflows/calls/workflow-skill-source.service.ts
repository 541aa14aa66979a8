import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type SourcedSkill, SkillSources } from '../../../core/skills/skill-sources.service.js';
import { WorkflowDefinitions } from '../definitions/workflow-definitions.service.js';
import { WorkflowFiles } from '../definitions/workflow-files.service.js';
import { WorkflowSkills } from './workflow-skills.service.js';

/** Lists workflows, including those that are not tools. */
@Injectable()
export class WorkflowSkillSource implements OnModuleInit {
  constructor(
    private readonly definitions: WorkflowDefinitions,
    private readonly files: WorkflowFiles,
    private readonly skills: WorkflowSkills,
    private readonly sources: SkillSources,
  ) {}

  onModuleInit(): void {
    this.sources.register({ name: 'workflow', list: () => this.list() });
  }

  private async list(): Promise<SourcedSkill[]> {
    const broken = this.mistakes();
    const entries = await this.definitions.listEntries();
    const items = entries.map(({ name, enabled, isProposed }): SourcedSkill => {
      const { isTool, problem } = enabled ? this.skills.offerStateOf(name) : { isTool: false, problem: null };
      const problems = [...(broken.get(name) ?? []), ...(problem === null ? [] : [problem])];
      broken.delete(name);
      const state = problems.length > 0 ? 'broken' : isProposed ? 'waiting' : enabled ? 'on' : 'off';
      return { ...aboutOf(name), owner: name, isTool, state, problems };
    });
    const unowned = [...broken].map(([name, problems]) => ({ ...aboutOf(name), state: 'broken' as const, problems }));
    return [...items, ...unowned];
  }

  /** Returns the mistakes in files, by workflow name, or by file name where that is unknown. */
  private mistakes(): Map<string, string[]> {
    const broken = new Map<string, string[]>();
    for (const { file, name, problems } of this.files.listBroken())
      for (const { severity, line, message } of problems)
        if (severity === 'error')
          broken.set(name ?? file, [...(broken.get(name ?? file) ?? []), `${message} (${file}:${line})`]);
    return broken;
  }
}

/** The title and description are only in its text, unless it is a tool. */
const aboutOf = (name: string) => ({ name, title: null, description: '', owner: null, isTool: false, problems: [] });

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type SourcedSkill, SkillSources } from '../../../core/skills/skill-sources.service.js';
import { ModuleSkills } from '../calls/module-skills.service.js';
import { isWaiting } from '../declared/approval.rules.js';
import type { SkillModule } from '../declared/module.js';
import { ModuleFolder } from '../folder/module-folder.service.js';
import { SkillModules } from '../modules.service.js';

/** Lists the skills of modules, including those that clients do not get. */
@Injectable()
export class ModuleSkillSource implements OnModuleInit {
  constructor(
    private readonly modules: SkillModules,
    private readonly skills: ModuleSkills,
    private readonly folder: ModuleFolder,
    private readonly sources: SkillSources,
  ) {}

  onModuleInit(): void {
    this.sources.register({ name: 'module', list: () => this.list() });
  }

  private list(): SourcedSkill[] {
    const broken = new Map<string, readonly string[]>();
    for (const { file, name, problems } of this.folder.listBroken()) {
      const located = problems.map((problem) => (problem.includes(file) ? problem : `${file}: ${problem}`));
      broken.set(name, [...(broken.get(name) ?? []), ...located]);
    }
    const items = this.modules.list().flatMap((module) => this.skillsOf(module, broken.get(module.name) ?? []));
    const unowned = [...broken].filter(([name]) => !this.modules.find(name));
    return [...items, ...unowned.map(([name, problems]) => fileWithMistakes(name, problems))];
  }

  private skillsOf(module: SkillModule, broken: readonly string[]): SourcedSkill[] {
    const { name: owner, newest, approved, enabled, problem } = module;
    const tools = this.skills.toolsOf(owner);
    const waits = isWaiting(module, this.modules.rule());
    // A skill that exists only in the offered version is still a tool.
    const old = (approved?.skills ?? []).filter(
      ({ name }) => tools.includes(name) && newest.skills.every((skill) => skill.name !== name),
    );
    return [...newest.skills, ...old].map(({ name, title, description }) => {
      const isTool = tools.includes(name);
      const problems = [...(problem === null ? [] : [problem]), ...broken];
      if (!isTool && enabled && !waits) problems.push(...this.skills.problemsOf(owner));
      const state = problems.length > 0 ? 'broken' : !enabled ? 'off' : waits ? 'waiting' : 'on';
      return { name, title, description, owner, isTool, state, problems };
    });
  }
}

const fileWithMistakes = (name: string, problems: readonly string[]): SourcedSkill => ({
  ...{ name, title: null, description: '', owner: null, isTool: false, state: 'broken', problems },
});

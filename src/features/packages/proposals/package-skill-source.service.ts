import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type SourcedSkill, SkillSources } from '../../../core/skills/skill-sources.service.js';
import { PackageFolders } from '../folder/package-folders.service.js';
import { SkillPackages } from '../skill-packages.service.js';
import { PackageProposals } from './package-proposals.service.js';

/** Lists skill packages, including those that clients do not get. */
@Injectable()
export class PackageSkillSource implements OnModuleInit {
  constructor(
    private readonly packages: SkillPackages,
    private readonly folders: PackageFolders,
    private readonly proposals: PackageProposals,
    private readonly sources: SkillSources,
  ) {}

  onModuleInit(): void {
    this.sources.register({ name: 'package', list: () => this.list() });
  }

  private async list(): Promise<SourcedSkill[]> {
    const broken = this.mistakes();
    const proposed = new Map((await this.proposals.listOpen()).map((one) => [one.name, one.description]));
    const items = this.packages.list().map(({ name, enabled, source, frontmatter: { description } }) => {
      const problems = (source === 'folder' && broken.get(name)) || [];
      const state = problems.length > 0 ? 'broken' : proposed.has(name) ? 'waiting' : enabled ? 'on' : 'off';
      return { ...aboutOf(name, description), owner: name, state, problems } as const;
    });
    const isOwn = (name: string) => this.packages.find(name)?.source === 'folder';
    const unowned = [...broken].filter(([name]) => !isOwn(name));
    const fresh = [...proposed].filter(([name]) => !this.packages.find(name) && !broken.has(name));
    return [
      ...items,
      ...unowned.map(([name, problems]) => ({ ...aboutOf(name, ''), state: 'broken' as const, problems })),
      ...fresh.map(([name, description]) => ({ ...aboutOf(name, description), state: 'waiting' as const })),
    ];
  }

  /** Returns the mistakes in folders, by the names of their packages. */
  private mistakes(): Map<string, string[]> {
    const broken = new Map<string, string[]>();
    for (const { place, name, problems } of this.folders.list())
      for (const { severity, file, line, message } of problems)
        if (severity === 'error')
          broken.set(name, [...(broken.get(name) ?? []), `${place}: ${message} (${file}:${line})`]);
    return broken;
  }
}

const aboutOf = (name: string, description: string) => ({
  ...{ name, title: null, description, owner: null, isTool: false, problems: [] },
});

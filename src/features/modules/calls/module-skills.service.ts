import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { ModuleCode } from '#skill-host';
import {
  defineSkill,
  type JsonObject,
  Skill,
  type SkillContext,
  type SkillDefinition,
  type SkillOutput,
} from '#skill-kit';
import { EventBus } from '../../../platform/events/event-bus.service.js';
import { SerialQueue } from '../../../platform/periodic/serial-queue.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { offeredVersion } from '../declared/approval.rules.js';
import { codeKeyOf, type DeclaredSkill, type ModuleVersion, type SkillModule } from '../declared/module.js';
import { SkillModules } from '../modules.service.js';
import { ModuleCalls } from './module-calls.service.js';

interface Offered {
  /** The names of its skills that clients get. */
  names: readonly string[];
  /** The names that are taken by other skills. */
  missing: readonly string[];
  /** Distinguishes it from other code of the same module. */
  key: string;
}

interface Defined {
  name: string;
  key: string;
  skills: SkillDefinition[];
  problem: string | null; // null = its skills are valid
}

const byAge = (one: SkillModule, other: SkillModule): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.name < other.name ? -1 : 1);

/** Registers the declared skills of enabled modules as skills of the service. */
@Injectable()
export class ModuleSkills implements OnModuleInit {
  private readonly logger = new Logger(ModuleSkills.name);
  private readonly offered = new Map<string, Offered>();
  private readonly refused = new Map<string, string[]>();
  private readonly changing = new SerialQueue();

  constructor(
    private readonly modules: SkillModules,
    private readonly calls: ModuleCalls,
    private readonly registry: SkillRegistry,
    private readonly events: EventBus,
  ) {}

  async onModuleInit(): Promise<void> {
    const again = (isFromElsewhere: boolean) => {
      this.changing.run(() => this.offerCurrent(isFromElsewhere)).catch((error: unknown) => this.logger.error(error));
    };
    this.events.on('modules.changed', ({ isFromElsewhere = false }) => again(isFromElsewhere));
    this.events.on('setting.changed', ({ key, isFromElsewhere = false }) => {
      if (key === 'modules.approval') again(isFromElsewhere);
    });
    this.events.on('skills.changed', ({ names, isFromElsewhere = false }) => {
      const freed = names.filter((name) => !this.registry.find(name));
      if ([...this.offered.values()].some(({ missing }) => missing.some((name) => freed.includes(name))))
        again(isFromElsewhere);
    });
    await this.offerCurrent(false);
  }

  toolsOf(name: string): readonly string[] {
    return this.offered.get(name)?.names ?? [];
  }

  /** Returns why skills of an enabled module are not offered: their names are taken, or they are no longer valid. */
  problemsOf(name: string): readonly string[] {
    return this.refused.get(name) ?? [];
  }

  private offerCurrent(isFromElsewhere: boolean): Promise<void> {
    const rule = this.modules.rule();
    const current = new Map<string, { module: SkillModule; version: ModuleVersion }>();
    const owners = new Map<string, string>();
    // The oldest module has a tool that several export, so that all replicas have the same, also after a restart.
    for (const module of this.modules.list().sort(byAge)) {
      const version = offeredVersion(module, rule);
      if (version) current.set(module.name, { module, version });
      for (const skill of version?.skills ?? []) if (!owners.has(skill.name)) owners.set(skill.name, module.name);
    }
    const isSame = (name: string, { key, names }: Offered) => {
      const version = current.get(name)?.version;
      const isOwner = names.every((one) => owners.get(one) === name);
      return version !== undefined && key === codeKeyOf(name, version) && isOwner;
    };
    const withdrawn = [...this.offered].filter(([name, one]) => !isSame(name, one) || this.refused.has(name));
    for (const [name] of withdrawn) {
      this.offered.delete(name);
      this.refused.delete(name);
    }
    const added = [...current.values()].filter(({ module }) => !this.offered.has(module.name));
    const defined = added.map(({ module, version }) => this.define(module, version));
    const refused = this.registry.replace({
      removed: withdrawn.flatMap(([, { names }]) => names),
      added: defined.flatMap(({ skills }) => skills),
      isFromElsewhere,
    });
    for (const one of defined) this.note(one, refused);
    return Promise.resolve();
  }

  /** Returns the skills of a version; none, with the problem, when its declaration is no longer valid. */
  private define(module: SkillModule, version: ModuleVersion): Defined {
    const { name } = module;
    const key = codeKeyOf(name, version);
    try {
      return { name, key, problem: null, skills: version.skills.map((skill) => this.skillOf(module, version, skill)) };
    } catch (error) {
      return { name, key, problem: error instanceof Error ? error.message : String(error), skills: [] };
    }
  }

  private note({ name, key, problem, skills }: Defined, refused: ReadonlyMap<SkillDefinition, Error>): void {
    const problems = problem === null ? skills.flatMap((one) => refused.get(one)?.message ?? []) : [problem];
    const namesOf = (areMissing: boolean) =>
      skills.filter((one) => refused.has(one) === areMissing).map((one) => one.name);
    this.offered.set(name, { names: namesOf(false), missing: namesOf(true), key });
    if (problems.length > 0) this.refused.set(name, problems);
    for (const one of problems) this.logger.warn(`the skill module ${name}: ${one}`);
  }

  private skillOf(offered: SkillModule, version: ModuleVersion, declared: DeclaredSkill): SkillDefinition {
    const { calls, modules } = this;
    const { name, file } = offered;
    const { title, description, input, output, annotations, tags } = declared;
    let code: Promise<ModuleCode> | null = null; // null = not called yet

    const load = async (): Promise<ModuleCode> => {
      const { javascript } = await modules.textOf(name, version.version);
      return { key: codeKeyOf(name, version), file, files: javascript, hasTypes: false };
    };

    @Skill({
      name: declared.name,
      ...(title !== null && { title }),
      description,
      ...(input && { input }),
      ...(output && { output }),
      annotations,
      kind: 'module',
      tags,
    })
    class ModuleHandler {
      async execute(args: JsonObject, context: SkillContext): Promise<SkillOutput> {
        const module = modules.find(name) ?? offered; // its settings may have changed
        code ??= load();
        const loaded = await code.catch((error: unknown) => {
          code = null; // so that the next call retries
          throw error;
        });
        return calls.call({ module, code: loaded, skill: declared }, args, context);
      }
    }
    return defineSkill(new ModuleHandler());
  }
}

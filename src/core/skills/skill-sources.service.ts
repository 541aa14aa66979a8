import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#skill-kit';
import { type Page, pageOfSorted, type PageRequest } from '../../platform/paging/page-cursor.js';
import { type CatalogueEntry, SkillCatalogue } from './skill-catalogue.service.js';
import { NO_TOOL_LIMITS } from './tool-limits.js';

export const SKILL_SOURCES = ['built-in', 'module', 'package', 'workflow'] as const;
export type SkillSourceName = (typeof SKILL_SOURCES)[number];

/** `waiting`: an administrator must approve something. `broken`: because of an error, clients do not get the intended version. */
export const SKILL_STATES = ['on', 'off', 'waiting', 'broken'] as const;
export type SourcedState = (typeof SKILL_STATES)[number];

/** A skill as its source describes it. */
export interface SourcedSkill {
  name: string;
  title: string | null;
  description: string; // '' = unknown
  /** Name of the module, package or workflow that it belongs to; null = none, for example for a file with errors. */
  owner: string | null;
  /** True when it is currently a tool, visible to clients unless disabled. */
  isTool: boolean;
  state: SourcedState;
  /** Its problems, with file and line if known. */
  problems: readonly string[];
}

/** A feature that has more skills than its tools: disabled ones, waiting ones, and files with errors. */
interface SkillSource {
  name: Exclude<SkillSourceName, 'built-in'>;
  list(): readonly SourcedSkill[] | Promise<readonly SourcedSkill[]>;
}

export interface SkillItem extends Omit<CatalogueEntry, 'inputSchema'> {
  inputSchema: JsonObject | null; // null = it is not a tool at the moment
  source: SkillSourceName;
  owner: string | null;
  state: SourcedState;
  problems: string[];
}

interface SkillItemsQuery extends PageRequest {
  /** Part of a name, title or description. */
  q?: string | undefined;
  source?: SkillSourceName | undefined;
  state?: SourcedState | undefined;
}

const NOT_A_TOOL = { inputSchema: null, outputSchema: null, annotations: null, enabled: false, ...NO_TOOL_LIMITS };

/** Lists the skills of all sources, including those that are not tools. */
@Injectable()
export class SkillSources {
  private readonly sources: SkillSource[] = [];

  constructor(private readonly catalogue: SkillCatalogue) {}

  register(source: SkillSource): void {
    this.sources.push(source);
  }

  /** Returns one page, sorted by name. */
  async listPage({ q = '', source, state, ...page }: SkillItemsQuery): Promise<Page<SkillItem>> {
    const wanted = q.toLowerCase();
    const found = (await this.list()).filter(
      (item) =>
        (source === undefined || item.source === source) &&
        (state === undefined || item.state === state) &&
        [item.name, item.title ?? '', item.description].some((text) => text.toLowerCase().includes(wanted)),
    );
    return pageOfSorted(found, page, keyOf);
  }

  /** Returns a skill that is currently a tool. @throws SkillNotFound */
  async get(name: string): Promise<SkillItem> {
    const tool = this.catalogue.get(name);
    return (await this.list()).find((item) => item.name === name && item.inputSchema !== null) ?? builtIn(tool);
  }

  private async list(): Promise<SkillItem[]> {
    const tools = new Map(this.catalogue.list().map((tool) => [tool.name, tool]));
    const items: SkillItem[] = [];
    for (const listed of this.sources) {
      const { name: source } = listed;
      for (const { isTool, owner, state, problems, ...about } of await listed.list()) {
        const tool = isTool ? tools.get(about.name) : undefined;
        if (tool) tools.delete(about.name);
        const isSwitchedOff = tool?.enabled === false && state === 'on';
        const facts = tool ?? { ...about, ...NOT_A_TOOL, warnings: [] };
        items.push({ ...facts, source, owner, state: isSwitchedOff ? 'off' : state, problems: [...problems] });
      }
    }
    items.push(...[...tools.values()].map(builtIn));
    return items.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }
}

const builtIn = (tool: CatalogueEntry): SkillItem => ({
  ...tool,
  source: 'built-in',
  owner: null,
  state: tool.enabled ? 'on' : 'off',
  problems: [],
});

/** Unique per item, because names contain no spaces. */
const keyOf = ({ name, source, owner }: SkillItem): string => [name, source, owner ?? ''].join(' ');

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { SkillDefinition } from '#skill-kit';
import { SettingsService } from '../../platform/config/settings.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SkillRegistry } from './skill.registry.js';

type Switch = 'packages.proposals' | 'mcp.search_and_fetch';

interface Switched {
  setting: Switch;
  skills: readonly SkillDefinition[];
  isOn: boolean;
  /** The registered names; names taken by others are missing. */
  offered: readonly string[];
}

/** Offers skills while a setting is "on": each tool uses context of every client. */
@Injectable()
export class SwitchedSkills implements OnModuleInit {
  private readonly logger = new Logger(SwitchedSkills.name);
  private readonly switched = new Map<string, Switched>();

  constructor(
    private readonly settings: SettingsService,
    private readonly events: EventBus,
    private readonly registry: SkillRegistry,
  ) {}

  onModuleInit(): void {
    this.events.on('setting.changed', ({ key, isFromElsewhere = false }) => this.offer(key, isFromElsewhere));
  }

  /** From now on, offers the skills whenever the setting is "on", except those whose names are taken. */
  offerWhileOn(setting: Switch, skills: readonly SkillDefinition[]): void {
    this.switched.set(setting, { setting, skills, isOn: false, offered: [] });
    this.offer(setting, false);
  }

  /** @param isFromElsewhere true when another replica notifies the clients */
  private offer(key: string, isFromElsewhere: boolean): void {
    const known = this.switched.get(key);
    if (!known) return;
    const isOn = this.settings.get(known.setting) === 'on';
    if (isOn === known.isOn) return;
    const added = isOn ? known.skills : [];
    const refused = this.registry.replace({ removed: known.offered, added, isFromElsewhere });
    for (const [{ name }, { message }] of refused) this.logger.warn(`the tool ${name} is not offered: ${message}`);
    const offered = added.filter((one) => !refused.has(one)).map(({ name }) => name);
    this.switched.set(key, { ...known, isOn, offered });
  }
}

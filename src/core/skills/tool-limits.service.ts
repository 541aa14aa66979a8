import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../platform/config/settings.service.js';
import { SkillCatalogue } from './skill-catalogue.service.js';

/** A limit that holds for the calls of a tool. */
export interface LimitInForce {
  value: number;
  /** Where an administrator changes it. */
  source: string;
}

/** Says which limits hold for the calls of a tool: those of its own, else those of every tool. */
@Injectable()
export class ToolLimitsService {
  constructor(
    private readonly catalogue: SkillCatalogue,
    private readonly settings: SettingsService,
  ) {}

  /** Returns how long a call of the tool may take, in ms. */
  timeoutOf(tool: string): LimitInForce {
    return this.inForce(tool, this.catalogue.limitsOf(tool).timeoutMs, 'mcp.tool_timeout_ms');
  }

  /** Returns how large a result of the tool may be, as bytes of JSON. */
  resultOf(tool: string): LimitInForce {
    return this.inForce(tool, this.ownResultOf(tool), 'mcp.max_result_bytes');
  }

  /** Returns how large a result of the tool may be when it has a limit of its own; else null. */
  ownResultOf(tool: string): number | null {
    return this.catalogue.limitsOf(tool).maxResultBytes;
  }

  /** Returns how long a call may wait until a person approves it. */
  approvalMinutes(): number {
    return this.settings.get('policy.approval_timeout_minutes');
  }

  private inForce(
    tool: string,
    own: number | null,
    setting: 'mcp.tool_timeout_ms' | 'mcp.max_result_bytes',
  ): LimitInForce {
    if (own === null) return { value: this.settings.get(setting), source: `the setting ${setting}` };
    return { value: own, source: `the limit of the tool ${tool} on its page under Skills` };
  }
}

/** Says to the caller of a tool why there is no result. */
export const tooLargeMessage = (bytes: number, { value, source }: LimitInForce): string =>
  `The result is too large: ${bytes} bytes of JSON, the limit is ${value}. Ask for less at once, or have the administrator ` +
  `raise ${source}.`;

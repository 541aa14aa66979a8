import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { IsDateString, IsInt, IsString } from 'class-validator';
import { Skill, type SkillHandler } from '#skill-kit';
import { VERSION } from '../../../platform/service-info/version.js';

const HOSTNAME = hostname();

class SystemInfoResult {
  /** RFC 3339, UTC. */
  @IsDateString() time!: string;
  @IsString() hostname!: string;
  @IsString() runtime!: string;
  @IsString() version!: string;
  @IsInt() uptimeSeconds!: number;
}

@Skill({
  name: 'system_info',
  title: 'System information',
  description:
    'Use this to check that the connection to Agent Service works. Returns the UTC time, the host name, and the runtime ' +
    'and service versions.',
  output: SystemInfoResult,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
@Injectable()
export class SystemInfo implements SkillHandler {
  execute(): SystemInfoResult {
    return {
      time: new Date().toISOString(),
      hostname: HOSTNAME,
      runtime: `Node.js ${process.version}`,
      version: VERSION,
      uptimeSeconds: Math.floor(process.uptime()),
    };
  }
}

import { Controller, Get, Param, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { ANONYMOUS } from '../../access/clients/client.js';
import { digestOf } from '../../features/packages/files/package-check.rules.js';
import { SKILL_FILE } from '../../features/packages/files/package.js';
import { SharedPackages } from '../../features/packages/sharing/shared-packages.service.js';
import { Downloads } from './downloads.service.js';
import { SharedSkillsFilter } from './shared-skills.filter.js';
import { notFound, SkillsLinkGuard } from './skills-link.guard.js';

/**
 * Serves skill packages to programs that install them, such as `npx skills add`: by the indexes of Agent Skills Discovery
 * 0.2.0 (`agent-skills`) and 0.1.0 (`skills`). Policies see the client `anonymous`.
 */
@ApiExcludeController()
@Controller('skills/:secret/.well-known')
@UseGuards(SkillsLinkGuard)
@UseFilters(SharedSkillsFilter)
export class SharedSkillsController {
  constructor(
    private readonly shared: SharedPackages,
    private readonly downloads: Downloads,
  ) {}

  @Get('agent-skills/index.json')
  async index(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.downloads.sendJson(request, response, await this.shared.index(callerOf(request)));
  }

  @Get('skills/index.json')
  filesIndex(@Req() request: Request, @Res() response: Response): void {
    this.downloads.sendJson(request, response, this.shared.filesIndex(callerOf(request)));
  }

  @Get('agent-skills/:archive')
  archive(@Param('archive') archive: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    if (!archive.endsWith('.zip')) throw notFound(request);
    return this.downloads.send(request, response, async () => {
      const { bytes, digest } = await this.shared.archive(callerOf(request), archive.slice(0, -'.zip'.length));
      return { bytes, type: 'application/zip', tag: digest };
    });
  }

  @Get(['agent-skills/:name/*path', 'skills/:name/*path'])
  file(
    @Param('name') name: string,
    @Param('path') path: string | string[],
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const wanted = [path].flat().join('/');
    return this.downloads.send(request, response, async () => {
      const bytes = await this.shared.file(callerOf(request), name, wanted);
      const type = wanted === SKILL_FILE ? 'text/markdown; charset=utf-8' : 'application/octet-stream';
      return { bytes, type, tag: digestOf(bytes) };
    });
  }
}

const callerOf = ({ ip }: Request): Client => ({ ...ANONYMOUS, origin: { ...UNKNOWN_ORIGIN, address: ip ?? null } });

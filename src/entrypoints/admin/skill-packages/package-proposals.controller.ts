import { Body, Delete, Get, Param, ParseIntPipe, Post } from '@nestjs/common';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { PackageProposals } from '../../../features/packages/proposals/package-proposals.service.js';
import { AdminController, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited } from '../api/audited.decorator.js';
import { AdminPackageProposals } from './admin-package-proposals.service.js';
import { AdminSkillPackages } from './admin-skill-packages.service.js';
import { FullProposalView, ProposalBody, ProposalListView } from './package-proposals.schema.js';
import { FullPackageView } from './skill-packages.schema.js';

@AdminController('skill-package-proposals')
export class PackageProposalsController {
  constructor(
    private readonly proposals: PackageProposals,
    private readonly admin: AdminPackageProposals,
    private readonly packages: AdminSkillPackages,
  ) {}

  @Get()
  @Operation('listSkillPackageProposals', 'Lists the skill packages that assistants propose')
  @Returns(ProposalListView)
  list(): Promise<ProposalListView> {
    return this.admin.list();
  }

  @Get(':id')
  @Operation('getSkillPackageProposal', 'Returns a proposed skill package, and what it would change')
  @Returns(FullProposalView)
  get(@Param('id', ParseIntPipe) id: number): Promise<FullProposalView> {
    return this.admin.get(id);
  }

  @NeedsRole('editor')
  @Post(':id/accept')
  @Audited({ recordsResult: true })
  @Operation(
    'acceptSkillPackageProposal',
    'Accepts a proposed skill package: clients get its version',
    'Refused with 409 when `digest` is of another version of the proposal.',
  )
  @Returns(FullPackageView)
  async accept(
    @Param('id', ParseIntPipe) id: number,
    @Body() { digest }: ProposalBody,
    @Admin() { user }: AdminIdentity,
  ): Promise<FullPackageView> {
    return this.packages.get((await this.proposals.accept(id, digest, user)).name);
  }

  @NeedsRole('editor')
  @Delete(':id')
  @Audited<PackageProposalsController>({ state: (controller, { params }) => controller.get(Number(params['id'])) })
  @Operation('refuseSkillPackageProposal', 'Rejects and deletes a proposed skill package')
  @NoContent()
  refuse(@Param('id', ParseIntPipe) id: number): Promise<void> {
    return this.proposals.refuse(id);
  }
}

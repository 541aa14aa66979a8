import { Body, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { onePage, type Page } from '../../../platform/paging/page-cursor.js';
import { AdminController, Creates, NoContent, Operation, Returns } from '../api/admin-controller.decorator.js';
import { Audited, ChangesNothing, AuditsState } from '../api/audited.decorator.js';
import { ChecksVersion, IfMatch, ReturnsVersion } from '../api/versions/versions.decorators.js';
import { PageOf } from '../api/page.schema.js';
import type { AdminIdentity } from '../../../access/accounts/admin-access.service.js';
import { NeedsRole } from '../../../access/accounts/admin-role.decorator.js';
import { Admin } from '../../../access/accounts/admin.guard.js';
import { AdminPolicies } from './admin-policies.service.js';
import {
  DryRunBody,
  DryRunView,
  NewPolicyBody,
  PolicyBody,
  PolicyCheckView,
  PolicyDecisionView,
  PolicyTemplateView,
  PolicyTestBody,
  PolicyText,
  PolicyView,
  SavedPolicyView,
} from './policies.schema.js';
import { POLICY_TEMPLATES } from './policy-templates.js';
import { PolicyTrials } from './policy-trials.service.js';

@AdminController('policies')
export class PoliciesController {
  constructor(
    private readonly policies: AdminPolicies,
    private readonly trials: PolicyTrials,
  ) {}

  @Get()
  @Operation('listPolicies', 'Lists the policies')
  @Returns(PageOf(PolicyView))
  async list(): Promise<Page<PolicyView>> {
    return onePage(await this.policies.list());
  }

  @Post()
  @Audited({ recordsResult: true })
  @Operation('createPolicy', 'Adds a policy', 'The response is sent when the change has taken effect on all replicas.')
  @Creates(SavedPolicyView)
  create(@Body() body: NewPolicyBody, @Admin() { user }: AdminIdentity): Promise<SavedPolicyView> {
    return this.policies.create(body, user);
  }

  @Get('templates')
  @Operation('listPolicyTemplates', 'Lists policy templates')
  @Returns(PageOf(PolicyTemplateView))
  async templates(): Promise<Page<PolicyTemplateView>> {
    return onePage([...POLICY_TEMPLATES]);
  }

  @Post('check')
  @NeedsRole('viewer')
  @ChangesNothing()
  @Operation('checkPolicy', 'Checks a policy without saving it')
  @Returns(PolicyCheckView)
  check(@Body() { policy }: PolicyText): Promise<PolicyCheckView> {
    return this.policies.check(policy);
  }

  @Post('test')
  @NeedsRole('viewer')
  @ChangesNothing()
  @Operation('testPolicies', "Returns the policies' decision on a request, and which policies determine it")
  @Returns(PolicyDecisionView)
  test(@Body() body: PolicyTestBody): Promise<PolicyDecisionView> {
    return this.trials.test(body);
  }

  @Post('dry-run')
  @NeedsRole('viewer')
  @ChangesNothing()
  @Operation('dryRunPolicy', 'Returns which of the latest 1,000 calls a changed policy would decide differently')
  @Returns(DryRunView)
  dryRun(@Body() { draft }: DryRunBody): Promise<DryRunView> {
    return this.trials.dryRun(draft);
  }

  @Get(':name')
  @Operation('getPolicy', 'Returns a policy')
  @Returns(PolicyView)
  @ReturnsVersion()
  get(@Param('name') name: string): Promise<PolicyView> {
    return this.policies.get(name);
  }

  @Put(':name')
  @AuditsState('name')
  @Operation('updatePolicy', 'Changes a policy, or enables or disables it', 'Omitted fields are left unchanged.')
  @Returns(SavedPolicyView)
  @ChecksVersion()
  @ReturnsVersion()
  update(
    @Param('name') name: string,
    @Body() body: PolicyBody,
    @Admin() { user }: AdminIdentity,
    @IfMatch() version?: string,
  ): Promise<SavedPolicyView> {
    return this.policies.update(name, body, user, version);
  }

  @Delete(':name')
  @AuditsState('name')
  @Operation('deletePolicy', 'Deletes a policy')
  @NoContent('The policy is deleted, and no longer in force on any replica.')
  @ChecksVersion()
  remove(@Param('name') name: string, @IfMatch() version?: string): Promise<void> {
    return this.policies.remove(name, version);
  }
}

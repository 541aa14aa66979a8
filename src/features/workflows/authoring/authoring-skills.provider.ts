import { Injectable } from '@nestjs/common';
import { WorkflowCheckSkill } from './workflow-check.skills.js';
import { WorkflowProposeSkill } from './workflow-propose.skills.js';
import { WorkflowTrySkill } from './workflow-try.skills.js';

/** The tools with which assistants write workflows. */
@Injectable()
export class AuthoringSkills {
  readonly all;

  constructor(check: WorkflowCheckSkill, propose: WorkflowProposeSkill, attempt: WorkflowTrySkill) {
    this.all = [check, propose, attempt] as const;
  }
}

import { Injectable } from '@nestjs/common';
import { type Json, standardError, type WorkflowDefinition } from '#open-workflow';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import { ClientsService } from '../../../../access/clients/clients.service.js';
import { ownerOf } from '../../../../access/clients/owner.js';
import { SkillsService } from '../../../../core/skills/skills.service.js';
import { tagsOf } from '../../definitions/workflow.js';
import { type ClaimedRun, isTrial } from '../../runs/execution/claimed-run.js';
import { objectOf } from '../../runs/run.js';

type ActingRun = Pick<ClaimedRun, 'id' | 'program' | 'name' | 'client' | 'isTest'>;

@Injectable()
export class RunClients {
  constructor(
    private readonly clients: ClientsService,
    private readonly skills: SkillsService,
  ) {}

  /** Returns the client of a run, with its current groups. @throws WorkflowError when it has been removed, or its keys have ended */
  clientOf(run: ActingRun): Client {
    const { id, program, name, client } = run;
    const found = this.clients.find(client.name);
    if (!found || ownerOf(found) !== ownerOf(client)) {
      const detail = `The client ${client.name}, for which this run acts, has no valid key any more. Somebody else must start it.`;
      throw standardError('authorization', detail);
    }
    // The run of a long skill is the call itself, and an agent is not a workflow. Permissions of a workflow must not apply to a
    // version that somebody proposes under its name.
    const workflow = program !== 'workflow' ? '' : isTrial(run) ? `trial:${name}` : name;
    return { ...found, origin: { ...UNKNOWN_ORIGIN, run: { id, workflow } } };
  }

  /** Checks that the client of a run may call a workflow. @throws WorkflowError when it may not call it */
  assertMayStart(run: ClaimedRun, { document }: WorkflowDefinition, input: Json): void {
    const tool = { name: document.name, tags: tagsOf(document) };
    const denial = this.skills.denialOf(this.clientOf(run), tool, objectOf(input) ?? {});
    if (denial !== null) throw standardError('authorization', denial);
  }
}

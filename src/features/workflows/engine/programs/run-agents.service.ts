import { Injectable } from '@nestjs/common';
import type { DurableSteps, Json, JsonObject, WorkflowHost } from '#open-workflow';
import type { Client } from '#skill-kit';

export interface AgentRun {
  input: JsonObject;
  client: Client;
  steps: DurableSteps;
  host: WorkflowHost;
}

/** Decides step by step what its run does next. @throws only WorkflowError */
export type Agent = (run: AgentRun) => Promise<Json>;

/** The agents that runs can execute, by name. */
@Injectable()
export class RunAgents {
  private readonly agents = new Map<string, Agent>();

  add(name: string, agent: Agent): void {
    this.agents.set(name, agent);
  }

  find(name: string): Agent | undefined {
    return this.agents.get(name);
  }
}

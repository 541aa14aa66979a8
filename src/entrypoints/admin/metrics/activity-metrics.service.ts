import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { LIMITED } from '#mcp-http';
import { RATE_SCOPES, RequestRates } from '../../../access/clients/request-rates.service.js';
import type { AppEvents, ToolOutcome } from '../../../platform/events/app-events.js';
import { EventBus } from '../../../platform/events/event-bus.service.js';

/** The buckets that the conventions recommend, in seconds. */
const SECONDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
/** Tools with numbers of their own; those of further tools are added up. Each is 17 lines for every outcome. */
const MOST_TOOLS = 200;
const FURTHER_TOOLS = 'other';

/** Counts what this replica has done since it started: calls of tools, runs that ended, and refused requests. */
@Injectable()
export class ActivityMetrics {
  private readonly tools = new Set<string>();
  private readonly calls: Histogram<'mcp_method_name' | 'gen_ai_tool_name' | 'error_type'>;

  constructor(events: EventBus, rates: RequestRates, registry: Registry) {
    const registers = [registry];
    this.calls = new Histogram({
      name: 'mcp_server_operation_duration_seconds',
      help: 'Duration of tool calls. error_type is empty for calls that succeeded.',
      labelNames: ['mcp_method_name', 'gen_ai_tool_name', 'error_type'],
      buckets: SECONDS,
      registers,
    });
    const runs = new Counter({
      name: 'agent_service_runs_ended_total',
      help: 'Runs that this replica has ended.',
      labelNames: ['status'],
      registers,
    });
    const keys = new Counter({
      name: 'agent_service_keys_refused_total',
      help: 'Requests to the MCP endpoint without a valid key or token.',
      registers,
    });
    new Counter({
      name: 'agent_service_rate_limited_total',
      help: 'Requests to the MCP endpoint beyond the limit of the client, or of all clients together.',
      labelNames: ['scope'],
      registers,
      collect() {
        this.reset();
        for (const scope of RATE_SCOPES) this.inc({ scope }, rates.exceeded[scope]);
      },
    });
    const limits = new Counter({
      name: 'agent_service_limit_exceeded_total',
      help: 'Requests to the MCP endpoint refused because the client, or all clients together, had too much open.',
      labelNames: ['limit', 'scope'],
      registers,
    });
    // From 0 on, so that the first one is an increase.
    for (const limit of LIMITED) for (const scope of RATE_SCOPES) limits.inc({ limit, scope }, 0);
    for (const status of ['completed', 'failed', 'cancelled']) runs.inc({ status }, 0);
    events.on('tool.called', (call) => this.countCall(call));
    events.on('run.ended', ({ status }) => runs.inc({ status }));
    events.on('key.refused', () => keys.inc());
    events.on('limit.exceeded', ({ limit, scope }) => limits.inc({ limit, scope }));
  }

  private countCall({ tool, outcome, durationMs }: AppEvents['tool.called']): void {
    const labels = {
      mcp_method_name: 'tools/call',
      gen_ai_tool_name: outcome === 'unknown' ? '' : this.labelOf(tool),
      error_type: errorType(outcome),
    };
    this.calls.observe(labels, durationMs / 1000);
  }

  private labelOf(tool: string): string {
    if (this.tools.has(tool)) return tool;
    if (this.tools.size >= MOST_TOOLS) return FURTHER_TOOLS;
    this.tools.add(tool);
    return tool;
  }
}

/** `tool_error` as in the OpenTelemetry conventions for MCP; the other outcomes are those of the audit log. */
const errorType = (outcome: ToolOutcome): string =>
  outcome === 'ok' ? '' : outcome === 'error' ? 'tool_error' : outcome;

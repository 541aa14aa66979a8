import { Injectable } from '@nestjs/common';
import { parseBoundedJson, storableValue } from '#bounded-json';
import type { JsonObject } from '#skill-kit';
import { SchemaChecks } from '../../../core/skills/schema-checks.service.js';
import { AnswerUnfit, SchemaUnusable } from '../models/llm.errors.js';
import type { ChatMessage, ChatRequest } from '../models/chat-request.rules.js';
import { Asking } from './asking.service.js';
import type { LlmCall } from './llm-call.js';
import { jsonIn, repairRequest } from './structured.rules.js';

/** Characters of a JSON Schema as JSON. */
const MAX_SCHEMA = 16_384;
/** Levels of a schema, and of an answer. */
const [MAX_SCHEMA_DEPTH, MAX_DEPTH] = [32, 64];

interface StructuredRequest extends ChatRequest {
  schema: JsonObject;
}

interface StructuredAnswer {
  data: unknown;
  model: string;
}

/** Gets answers that match a JSON Schema. */
@Injectable()
export class StructuredAnswers {
  constructor(
    private readonly asking: Asking,
    private readonly checks: SchemaChecks,
  ) {}

  /**
   * Checks a caller's schema before a model is asked.
   * @param parameter its name in the error
   * @throws SchemaUnusable, and the reason of the call's signal
   */
  async assertUsable(parameter: string, schema: JsonObject, { signal, leftMs }: LlmCall): Promise<void> {
    const json = JSON.stringify(schema);
    if (json.length > MAX_SCHEMA) {
      throw new SchemaUnusable(
        parameter,
        `it has ${json.length} characters as JSON, and at most ${MAX_SCHEMA} are allowed`,
      );
    }
    if ('problem' in parseBoundedJson(Buffer.from(json), MAX_SCHEMA_DEPTH)) {
      throw new SchemaUnusable(parameter, `it is nested deeper than ${MAX_SCHEMA_DEPTH} levels`);
    }
    if (schema['type'] !== 'object') {
      throw new SchemaUnusable(parameter, 'its "type" must be "object": put a list or a text under a property');
    }
    const [problem] = await this.checks.schemaProblems(schema, { signal, limitMs: leftMs });
    if (problem !== undefined) throw new SchemaUnusable(parameter, problem);
  }

  /**
   * Asks a model, and retries once when the answer does not match the schema.
   * @param name name of the model; null = the first one
   * @throws AnswerUnfit, and the errors of `Asking.ask`
   */
  async ask(name: string | null, request: StructuredRequest, call: LlmCall): Promise<StructuredAnswer> {
    const first = await this.asking.ask(name, request, call);
    const read = await this.read(first.text, request.schema, call);
    if ('data' in read) return { data: read.data, model: first.model };
    if (first.isCut) throw new AnswerUnfit(first.model, read.problems, true);
    const repair: ChatMessage[] = [
      { role: 'assistant', content: first.text },
      { role: 'user', content: repairRequest(read.problems) },
    ];
    const second = await this.asking.ask(name, { ...request, messages: [...request.messages, ...repair] }, call);
    const repaired = await this.read(second.text, request.schema, call);
    if ('data' in repaired) return { data: repaired.data, model: second.model };
    throw new AnswerUnfit(second.model, repaired.problems, second.isCut);
  }

  private async read(text: string, schema: JsonObject, { signal, leftMs }: LlmCall) {
    const parsed = parseBoundedJson(Buffer.from(jsonIn(text)), MAX_DEPTH);
    if ('problem' in parsed) {
      return { problems: [parsed.problem === 'too_deep' ? `nested deeper than ${MAX_DEPTH}` : 'not JSON'] };
    }
    const data = storableValue(parsed.value);
    const problems = await this.checks.problemsElsewhere(schema, data, { signal, limitMs: leftMs });
    return problems.length === 0 ? { data } : { problems };
  }
}

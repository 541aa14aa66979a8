import { parse, stringify } from 'yaml';
import { inspectWorkflow } from './definition/inspection.js';
import type { CloudEvent, DurableSteps, EffectCall } from './durable-steps.js';
import { type Execution, InMemoryRun } from './in-memory/in-memory-run.js';
import type { InMemoryOptions } from './in-memory/in-memory-store.js';
import { interpretWorkflow, type InterpretOptions } from './interpret.js';
import { JqExpressions } from './jq/jq-expressions.js';
import type { Json, JsonObject } from './json.js';
import type { WorkflowDefinition } from './model.js';
import { type Problem, WorkflowError } from './workflow-error.js';
import type {
  Destination,
  HttpRequest,
  HttpResponse,
  InputNeeded,
  InputRound,
  RequestCall,
  Secret,
  WorkflowHost,
} from './workflow-host.js';

/** Builds a definition from the parts that matter to a test. */
function workflow(yaml: string, isInvalid: boolean): WorkflowDefinition {
  const document = { dsl: '1.0.3', namespace: 'test', name: 'tested', version: '1.0.0', summary: 'Is tested.' };
  const whole = { document, ...(parse(yaml) as object) };
  const { definition, problems } = inspectWorkflow(stringify(whole));
  if ((definition === null) !== isInvalid) throw new Error(`unexpected: ${JSON.stringify(problems)}`);
  return definition ?? (whole as object as WorkflowDefinition);
}

type Functions = Record<
  string,
  (args: JsonObject, call: EffectCall, round: InputRound) => Json | InputNeeded | Promise<Json | InputNeeded>
>;

/** An in-memory host that records what happens to it. */
export class TestHost implements WorkflowHost {
  readonly calls: { name: string; args: JsonObject; key: string }[] = [];
  readonly requests: HttpRequest[] = [];
  /** The idempotency keys of the requests. */
  readonly keys: string[] = [];
  readonly emitted: CloudEvent[] = [];

  constructor(
    private readonly functions: Functions = {},
    private readonly answers: (request: HttpRequest) => Partial<HttpResponse> & { json?: Json } = () => ({
      status: 404,
    }),
    private readonly secrets: Record<string, Json> = {},
    /** Allowed destinations of secrets, by name: hosts with their ports, and functions. Absent = anywhere. */
    private readonly limits: Record<string, readonly string[]> = {},
  ) {}

  async callFunction(name: string, args: JsonObject, call: EffectCall, round: InputRound): Promise<Json | InputNeeded> {
    this.calls.push({ name, args, key: call.idempotencyKey });
    const act = this.functions[name];
    if (!act) throw new Error(`there is no function ${name}`);
    return act(args, call, round);
  }

  async request(request: HttpRequest, call: RequestCall): Promise<HttpResponse> {
    this.requests.push(request);
    this.keys.push(call.idempotencyKey);
    const { json, status = 200, headers, body = new Uint8Array() } = this.answers(request);
    if (request.followRedirects && headers?.location !== undefined) {
      const next = redirected(request, headers.location);
      call.assertMayFollow(next);
      return this.request(next, call);
    }
    if (json === undefined) return { status, headers: headers ?? {}, body };
    return {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      body: Buffer.from(JSON.stringify(json)),
    };
  }

  async emit(event: CloudEvent): Promise<void> {
    this.emitted.push(event);
  }

  async secret(name: string): Promise<Secret> {
    const value = this.secrets[name];
    if (value === undefined) throw new Error(`there is no secret ${name}`);
    const allowed = this.limits[name];
    const refusalOf = (destination: Destination) => {
      const place = 'url' in destination ? destination.url.host : destination.function;
      return allowed?.includes(place) === false ? `${name} may not go to ${place}` : null;
    };
    return { value, isLimited: allowed !== undefined, refusalOf };
  }
}

/** Returns the request that follows a redirect, as hosts do. */
function redirected(request: HttpRequest, location: string): HttpRequest {
  const url = new URL(location, request.url);
  const isSame = url.origin === new URL(request.url).origin;
  const headers = Object.entries(request.headers).filter(([name]) => isSame || name === 'user-agent');
  return { ...request, url: url.href, headers: Object.fromEntries(headers) };
}

/** One pair of threads for all tests that run together. */
const expressions = new JqExpressions();
afterAll(() => expressions.close());

/** A workflow with its run and its host. */
export class Scenario {
  readonly definition: WorkflowDefinition;
  readonly run: InMemoryRun;

  constructor(
    yaml: string,
    private readonly given: {
      input?: Json;
      host?: TestHost;
      limits?: InterpretOptions['limits'];
      steps?: InMemoryOptions;
      /** True when the definition would be refused; the interpreter must be safe nonetheless. */
      isInvalid?: boolean;
    } = {},
  ) {
    this.definition = workflow(yaml, given.isInvalid ?? false);
    this.run = new InMemoryRun(given.steps);
  }

  get host(): TestHost {
    return (this.given.host ??= new TestHost());
  }

  execute(): Promise<Execution<Json>> {
    return this.run.execute((steps) => this.interpret(steps));
  }

  /** Returns the output of the workflow, which must complete. */
  async output(): Promise<Json> {
    const ended = await this.execute();
    if (ended.status === 'completed') return ended.value;
    throw ended.status === 'failed' ? ended.error : new Error(`the workflow is ${ended.status}`);
  }

  /** Returns the error of the workflow, which must fail. */
  async problem(): Promise<Problem> {
    const ended = await this.execute();
    if (ended.status === 'failed' && ended.error instanceof WorkflowError) return ended.error.problem;
    throw new Error(`the workflow is ${ended.status}: ${JSON.stringify(ended)}`);
  }

  /** Returns the names of all steps, in the order in which they started. */
  get steps(): string[] {
    return [...this.run.records.keys()];
  }

  private interpret(steps: DurableSteps): Promise<Json> {
    const { input = {}, limits = {} } = this.given;
    return interpretWorkflow(this.definition, { input, limits, steps, host: this.host, expressions });
  }
}

import type { ModuleReply, ModuleRequest } from '#skill-host';
import type { JsonObject } from '#skill-kit';
import {
  assertHasState,
  assertMayAsk,
  assertMayCall,
  assertMayRead,
  assertRequestFits,
  assertStateFits,
  wantedQueryIn,
  wantedSkillIn,
} from '../calls/allowed.js';
import { RequestRefused } from '../calls/module-calls.errors.js';
import {
  fillIn,
  hideIn,
  hideInText,
  placeholdersFor,
  type UsedSecret,
  usedIn,
  type Wanted,
} from '../calls/secret-placeholders.js';
import type { DeclaredUses } from '../declared/module.js';
import type { Answer, TrialRequests } from './skill-test.js';

/** Serves the requests of a module during a call, within its declaration, from the data of a test instead of the service. */
export class TrialServices {
  readonly placeholders: Readonly<Record<string, string>>;
  private readonly sent = new Map<string, UsedSecret>();
  private kept: string; // JSON

  constructor(
    private readonly uses: DeclaredUses,
    private readonly given: TrialRequests,
  ) {
    this.placeholders = placeholdersFor(uses.secrets);
    this.kept = JSON.stringify(given.state ?? null);
  }

  get state(): unknown {
    return JSON.parse(this.kept) as unknown;
  }

  /** @throws RequestRefused, and the errors of the test's functions */
  async request(asked: ModuleRequest): Promise<ModuleReply> {
    assertRequestFits(asked);
    switch (asked.kind) {
      case 'fetch':
        return this.fetch(asked);
      case 'query':
        return this.query(asked.value);
      case 'skill':
        return this.callSkill(asked.value);
      case 'state_get':
        assertHasState(this.uses);
        return { value: this.kept };
      case 'state_set':
        assertHasState(this.uses);
        assertStateFits(asked.value);
        this.kept = asked.value;
        return { value: 'null' };
    }
  }

  private async fetch({ value, body }: ModuleRequest): Promise<ModuleReply> {
    const wanted = JSON.parse(value) as Wanted;
    const used = usedIn({ ...wanted, body }, this.placeholders).map((name) => ({
      placeholder: this.placeholders[name] ?? '',
      value: this.secretOf(name),
    }));
    const { url, headers, body: sent } = fillIn({ ...wanted, body }, used);
    assertMayAsk(new URL(url), this.uses);
    const { method, redirect } = wanted;
    const request = new Request(url, { method, headers, redirect, ...(sent && { body: new Uint8Array(sent) }) });
    for (const one of used) this.sent.set(one.value, one);
    const response = await this.answerTo(request);
    const hidden = [...this.sent.values()];
    const shown = [...response.headers].map(([name, text]) => [name, hideInText(text, hidden)] as const);
    const answered = { status: response.status, headers: Object.fromEntries(shown), url: wanted.url };
    return {
      value: JSON.stringify(answered),
      body: hideIn(Buffer.from(await response.arrayBuffer()), hidden),
    };
  }

  private async answerTo(request: Request): Promise<Response> {
    const { fetch = {} } = this.given;
    const answer = typeof fetch === 'function' ? await fetch(request) : answerAmong(fetch, request.url);
    if (answer === undefined)
      throw new RequestRefused(
        `the test has no answer to ${request.method} ${request.url}: add it to the option fetch`,
      );
    if (answer instanceof Response) return answer.bodyUsed ? answer : answer.clone();
    return typeof answer === 'string' ? new Response(answer) : Response.json(answer);
  }

  private async query(value: string): Promise<ModuleReply> {
    const { database, ...query } = wantedQueryIn(value);
    assertMayRead(database, this.uses);
    const given = ownOf(this.given.databases ?? {}, database);
    if (given === undefined)
      throw new RequestRefused(`the test has no database ${database}: add its rows to the option databases`);
    const found = typeof given === 'function' ? await given(query) : given;
    return { value: JSON.stringify({ columns: [], rows: [], isCut: false, ...found }) };
  }

  private async callSkill(value: string): Promise<ModuleReply> {
    const { name, input } = wantedSkillIn(value);
    assertMayCall(name, this.uses);
    const result = ownOf(this.given.skills ?? {}, name);
    if (result === undefined)
      throw new RequestRefused(`the test has no skill ${name}: add its result to the option skills`);
    const answer: unknown =
      typeof result === 'function' ? await (result as (input: JsonObject) => unknown)(input) : result;
    return { value: JSON.stringify(answer ?? null) };
  }

  private secretOf(name: string): string {
    const value = ownOf(this.given.secrets ?? {}, name);
    if (value === undefined)
      throw new RequestRefused(`the test gives the secret ${name} no value: add it to the option secrets`);
    return value;
  }
}

const answerAmong = (answers: Record<string, Answer>, url: string): Answer | undefined =>
  Object.entries(answers).find(([key]) => URL.parse(key)?.href === url)?.[1];

const ownOf = <Value>(values: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

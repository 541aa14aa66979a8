import type { JsonObject, SkillResult } from '#skill-kit';
import { settingsOn } from '../../platform/config/testing.js';
import type { Database } from '../../platform/database/database.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { recordedEvents } from '../../platform/events/testing.js';
import { HostResolver } from '../../platform/outgoing-http/host-resolver.service.js';
import { OutgoingHttp } from '../../platform/outgoing-http/outgoing-http.service.js';
import { policyService } from '../../access/policy/testing.js';
import type { CallContext } from '../../core/skills/skill-call.js';
import { ALICE, callContext, skillsOn } from '../../core/skills/testing.js';
import { Asking } from './asking/asking.service.js';
import { StructuredAnswers } from './asking/structured-answers.service.js';
import { TokenBudget } from './budget/token-budget.service.js';
import { TokenUsageStore } from './budget/token-usage.store.js';
import { LlmClassify } from './llm-classify.skills.js';
import { LlmExtract } from './llm-extract.skills.js';
import { LlmGenerate } from './llm-generate.skills.js';
import { LlmOffers } from './llm-offers.service.js';
import { LlmSkills } from './llm-skills.provider.js';
import { ChatApi } from './models/chat-api.service.js';
import { LlmModels } from './models/llm-models.service.js';

/** Builds the tools that ask language models, with settings from the environment, and offers them. */
export async function llmOn(env: Record<string, string> = {}, database?: Database) {
  const { events } = recordedEvents();
  const stored = database ?? (await memoryDatabase());
  const allowed = { HTTP_ALLOWED_HOSTS: '["127.0.0.1","localhost"]' };
  const settings = await settingsOn({ database: stored, events, env: { ...allowed, ...env } });
  const parts = skillsOn({ policy: await policyService({}), settings, database: stored });
  const usage = new TokenUsageStore(stored);
  const models = new LlmModels(settings);
  const api = new ChatApi(new OutgoingHttp(settings, new HostResolver()));
  const asking = new Asking(models, api, new TokenBudget(usage, settings), parts.limits);
  const structured = new StructuredAnswers(asking, parts.checks);
  const skills = new LlmSkills([
    new LlmGenerate(asking, structured),
    new LlmClassify(asking, structured),
    new LlmExtract(asking, structured),
  ]);
  new LlmOffers(settings, models, events, parts.registry, skills).onModuleInit();

  const call = async (name: string, args: JsonObject, context: Partial<CallContext> = {}, client = ALICE) => {
    const {
      content,
      structuredContent,
      isError = false,
    } = (await parts.skills.call(client, name, args, callContext(context))) as SkillResult;
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', data: structuredContent ?? {}, isError };
  };
  return { ...parts, settings, usage, models, call };
}

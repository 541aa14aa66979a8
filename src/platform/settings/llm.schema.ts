import type { SettingDeclaration } from './setting-declaration.js';
import { API_KEY, API_URL, ON_OFF } from './text-patterns.js';

const MODELS = {
  type: 'string_list',
  group: 'llm',
  default: [],
  pattern: /^([a-zA-Z0-9][a-zA-Z0-9._-]{0,63} *= *)?[!-<>-~]{1,200}$/,
  patternMeaning: 'the id of a model such as gpt-5-mini, or a name of your own for it such as "fast = gpt-5-mini"',
} as const;
const URL_OF_API = { type: 'string', group: 'llm', default: '', ...API_URL } as const;
const KEY = { type: 'credential', group: 'llm', default: null, ...API_KEY } as const;
const MONTHLY = { type: 'integer', group: 'llm', default: 0, minimum: 0, maximum: 1_000_000_000_000 } as const;

/** Language models for workflow steps, and their limits. */
export const LLM_SETTINGS = {
  'llm.url': {
    ...URL_OF_API,
    description:
      'Base URL of an OpenAI-compatible chat API, such as https://api.openai.com/v1. With it and a model, workflows can ask a ' +
      'language model (llm_generate, llm_classify, llm_extract).',
  },
  'llm.models': {
    ...MODELS,
    description: 'Models of llm.url: ids, or "name = id" to choose a name. Calls that name no model use the first one.',
  },
  'llm.api_key': {
    ...KEY,
    for: 'llm.url',
    description:
      'Bearer key for llm.url, if it needs one. The key is sent only to the server that is set when you enter the ' +
      'key.',
  },
  'llm.second_url': {
    ...URL_OF_API,
    description: 'Base URL of a second chat API. Its first model replaces a model of llm.url that fails.',
  },
  'llm.second_models': {
    ...MODELS,
    description: 'Models of llm.second_url. Calls may also name them.',
  },
  'llm.second_api_key': {
    ...KEY,
    for: 'llm.second_url',
    description:
      'Bearer key for llm.second_url, if it needs one. The key is sent only to the server that is set when you ' +
      'enter the key.',
  },
  'llm.clients': {
    type: 'string',
    group: 'llm',
    description:
      'Whether clients may use the language models, too. on = clients get the tools that policies permit; off = ' +
      'only workflow steps may, and administrators who try a tool.',
    default: 'off',
    ...ON_OFF,
  },
  'llm.monthly_tokens': {
    ...MONTHLY,
    description: 'Maximum tokens of each client per calendar month (UTC), including its workflows; 0 = no limit.',
    unit: 'tokens',
  },
  'llm.monthly_tokens_total': {
    ...MONTHLY,
    description: 'Maximum tokens of all clients together per calendar month (UTC); 0 = no limit.',
    unit: 'tokens',
  },
} as const satisfies Record<string, SettingDeclaration>;

import type { SettingDeclaration } from './setting-declaration.js';

const MODELS = {
  type: 'string_list',
  group: 'llm',
  default: [],
  pattern: /^([a-zA-Z0-9][a-zA-Z0-9._-]{0,63} *= *)?[!-<>-~]{1,200}$/,
  patternMeaning: 'the id of a model such as gpt-5-mini, or a name of your own for it such as "fast = gpt-5-mini"',
} as const;
const URL_RULE = {
  type: 'string',
  group: 'llm',
  default: '',
  pattern: /^(https?:\/\/[^\s/?#@\\]{1,255}(\/[^\s?#]{0,1750})?)?$/i,
  patternMeaning: 'an http:// or https:// URL without user name, password and query, or empty',
} as const;
const KEY = {
  type: 'credential',
  group: 'llm',
  default: null,
  pattern: /^[!-~]{1,4096}$/,
  patternMeaning: '1 to 4096 visible ASCII characters without spaces',
} as const;
const MONTHLY = { type: 'integer', group: 'llm', default: 0, minimum: 0, maximum: 1_000_000_000_000 } as const;

/** Language models for workflow steps, and their limits. */
export const LLM_SETTINGS = {
  'llm.url': {
    ...URL_RULE,
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
    ...URL_RULE,
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
    pattern: /^(off|on)$/,
    patternMeaning: 'off or on',
    choices: ['off', 'on'],
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

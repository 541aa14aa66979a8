import * as agent from '../../src/features/llm/agent/agent.rules.js';
import * as retry from '../../src/features/llm/asking/retry.rules.js';
import * as structured from '../../src/features/llm/asking/structured.rules.js';
import * as prompts from '../../src/features/llm/llm-prompts.rules.js';
import * as results from '../../src/features/llm/llm-result.rules.js';
import * as request from '../../src/features/llm/models/chat-request.rules.js';
import * as entry from '../../src/features/llm/models/model-entry.rules.js';
import * as refusal from '../../src/features/llm/models/refusal.rules.js';
import * as tokens from '../../src/features/llm/models/tokens.rules.js';
import { type Entry, NOT_TEXT, OURS } from './entry.js';

const MODEL = { name: 'm', id: 'm', endpoint: 'https://a.example/v1', key: 'sk-key', problem: null };
const asked = (text: string) => ({
  messages: [{ role: 'user', content: text } as const],
  maxTokens: 1,
  schema: { description: text },
});

export const LLM_RULES: Record<string, Record<string, Entry>> = {
  'src/features/llm/agent/agent.rules.ts': {
    roleText: (text) => agent.roleText([{ name: 'a', description: text, inputSchema: { description: text } }]),
    taskText: (text) =>
      agent.taskText(text, Array(5).fill({ tool: 'a', input: { text }, result: text, failed: false })),
    moveSchema: (text) => agent.moveSchema(text.split('')),
    moveOf: (text) => agent.moveOf({ tool: text, arguments: { text } }),
  } satisfies Record<keyof typeof agent, Entry>,
  'src/features/llm/asking/retry.rules.ts': {
    nextTry: NOT_TEXT,
    patienceOf: NOT_TEXT,
  } satisfies Record<keyof typeof retry, Entry>,
  'src/features/llm/asking/structured.rules.ts': {
    jsonIn: [structured.jsonIn, (text) => structured.jsonIn(`\`\`\`${text}\`\`\``)],
    repairRequest: (text) => structured.repairRequest(Array<string>(20).fill(text)),
  },
  'src/features/llm/llm-prompts.rules.ts': {
    classificationOf: (text) =>
      prompts.classificationOf({ text, labels: [text, 'a'], descriptions: { [text]: text }, multiple: true }),
    chosenOf: (text) => prompts.chosenOf({ labels: text.split('') }, [text, 'a']),
    extractionOf: prompts.extractionOf,
  },
  'src/features/llm/llm-result.rules.ts': {
    usageOf: OURS,
    toTextResult: (text) => results.toTextResult(text, { hint: text }),
    toFailure: OURS,
  } satisfies Record<keyof typeof results, Entry>,
  'src/features/llm/models/chat-request.rules.ts': {
    toBody: [
      (text) => request.toBody('m', asked(text), request.USUAL_DIALECT),
      (text) => request.toBody('m', asked(text), { ...request.USUAL_DIALECT, hasSchemas: false }),
    ],
    dialectAfter: (text) => request.dialectAfter(request.USUAL_DIALECT, 400, text),
  },
  'src/features/llm/models/model-entry.rules.ts': {
    toModelEntry: (text) => entry.toModelEntry(text),
    endpointOf: (text) => entry.endpointOf(text),
  },
  'src/features/llm/models/refusal.rules.ts': {
    refusalOf: [
      (text) => refusal.refusalOf(MODEL, 400, text, undefined),
      (text) => refusal.refusalOf(MODEL, 429, '', text),
    ],
    quoted: (text) => refusal.quoted(text, MODEL),
    hostOf: OURS,
  },
  'src/features/llm/models/tokens.rules.ts': {
    totalOf: NOT_TEXT,
    estimatedTokens: (text) => tokens.estimatedTokens(text, text),
    monthOf: NOT_TEXT,
    nextMonth: NOT_TEXT,
  },
};

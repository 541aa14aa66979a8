import { type Answer, type Dialect, textOf } from './dialect.js';

interface Body {
  stream?: boolean;
  tools?: { function: { name: string; description?: string; parameters?: object } }[];
  messages: { role: string; content?: unknown }[];
}

/** The OpenAI chat completions API. */
export const chatCompletions: Dialect = {
  path: /\/chat\/completions$/,
  wantsStream: (body) => (body as Body).stream === true,
  shown(body) {
    const { tools = [], ...said } = body as Body;
    return {
      prompt: JSON.stringify(said),
      tools: tools.map(({ function: { name, description = '', parameters = {} } }) => ({
        name,
        group: '',
        description,
        schema: parameters,
      })),
      results: said.messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content)),
    };
  },
  whole: (answer) => ({ ...completion(answer, 'message'), object: 'chat.completion', usage: USAGE }),
  stream: (answer) => [
    { data: { ...completion(answer, 'delta'), object: 'chat.completion.chunk' } },
    { data: { id: 'scripted', object: 'chat.completion.chunk', model: 'scripted', choices: [], usage: USAGE } },
    { data: '[DONE]' },
  ],
};

const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

const completion = (answer: Answer, part: 'message' | 'delta') => ({
  id: 'scripted',
  created: 0,
  model: 'scripted',
  choices: [{ index: 0, [part]: said(answer), finish_reason: 'call' in answer ? 'tool_calls' : 'stop' }],
});

function said(answer: Answer): object {
  if ('text' in answer) return { role: 'assistant', content: answer.text };
  const call = { name: answer.call.name, arguments: JSON.stringify(answer.arguments) };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: answer.id, type: 'function', function: call }],
  };
}

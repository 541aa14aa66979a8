import { type Answer, type Dialect, type OfferedTool, textOf } from './dialect.js';

interface Body {
  stream?: boolean;
  tools?: { name: string; description?: string; input_schema?: object }[];
  messages: { content: string | { type: string; content?: unknown }[] }[];
}

export const anthropic: Dialect = {
  path: /\/v1\/messages$/,
  wantsStream: (body) => (body as Body).stream === true,
  shown(body) {
    const { tools = [], ...said } = body as Body;
    const blocks = said.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    return {
      prompt: JSON.stringify(said),
      tools: tools.map(toTool),
      results: blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => textOf(content)),
    };
  },
  whole: (answer) => ({ ...message(answer), content: [block(answer)] }),
  stream: (answer) => {
    const { stop_reason, usage, ...start } = message(answer);
    const whole = block(answer);
    const [empty, delta] =
      whole.type === 'text'
        ? [
            { ...whole, text: '' },
            { type: 'text_delta', text: whole.text },
          ]
        : [
            { ...whole, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(whole.input) },
          ];
    return [
      { type: 'message_start', message: { ...start, stop_reason: null, usage, content: [] } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ].map((data) => ({ event: data.type, data }));
  },
};

const toTool = ({ name, description = '', input_schema = {} }: NonNullable<Body['tools']>[number]): OfferedTool => ({
  name,
  group: '',
  description,
  schema: input_schema,
});

const message = (answer: Answer) => ({
  id: 'msg_scripted',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  stop_reason: 'call' in answer ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 10 },
});

function block(answer: Answer) {
  if ('text' in answer) return { type: 'text' as const, text: answer.text };
  return { type: 'tool_use' as const, id: answer.id, name: answer.call.name, input: answer.arguments };
}

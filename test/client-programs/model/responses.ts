import { type Answer, type Dialect, type OfferedTool, textOf } from './dialect.js';

interface Tool {
  type: string;
  name?: string;
  description?: string;
  parameters?: object;
  tools?: Tool[];
}

interface Body {
  stream?: boolean;
  tools?: Tool[];
  input: { type?: string; output?: unknown }[];
}

/** The OpenAI Responses API. */
export const responses: Dialect = {
  path: /\/responses$/,
  wantsStream: (body) => (body as Body).stream === true,
  shown(body) {
    const { tools = [], ...said } = body as Body;
    return {
      prompt: JSON.stringify([said, tools.flatMap((tool) => (tool.tools ? [tool.description] : []))]),
      tools: tools.flatMap((tool) => toTools(tool)),
      results: said.input.filter(({ type }) => type === 'function_call_output').map(({ output }) => textOf(output)),
    };
  },
  whole: (answer) => completed(answer),
  stream: (answer) =>
    [
      { type: 'response.created', response: { id: 'resp_scripted', status: 'in_progress', output: [] } },
      { type: 'response.output_item.done', output_index: 0, item: item(answer) },
      { type: 'response.completed', response: completed(answer) },
    ].map((data) => ({ event: data.type, data })),
};

function toTools({ name = '', description = '', parameters = {}, tools }: Tool, group = ''): OfferedTool[] {
  if (tools) return tools.flatMap((tool) => toTools(tool, name));
  return [{ name, group, description, schema: parameters }];
}

const completed = (answer: Answer) => ({
  id: 'resp_scripted',
  object: 'response',
  status: 'completed',
  model: 'scripted',
  output: [item(answer)],
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 20,
  },
});

function item(answer: Answer): object {
  if ('text' in answer) {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }];
    return { type: 'message', id: 'item_scripted', role: 'assistant', status: 'completed', content };
  }
  return {
    type: 'function_call',
    id: `item_${answer.id}`,
    call_id: answer.id,
    name: answer.call.name,
    ...(answer.call.group !== '' && { namespace: answer.call.group }),
    arguments: JSON.stringify(answer.arguments),
    status: 'completed',
  };
}

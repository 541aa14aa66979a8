import { type Answer, type Dialect } from './dialect.js';

interface Declaration {
  name: string;
  description?: string;
  parameters?: object;
  parametersJsonSchema?: object;
}

interface Body {
  tools?: { functionDeclarations?: Declaration[] }[];
  contents: { parts?: { functionResponse?: { response?: object } }[] }[];
}

/** The Gemini generateContent API. */
export const gemini: Dialect = {
  path: /:(?:streamG|g)enerateContent$/,
  wantsStream: (_body, path) => path.endsWith(':streamGenerateContent'),
  shown(body) {
    const { tools = [], ...said } = body as Body;
    return {
      prompt: JSON.stringify(said),
      tools: tools
        .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
        .map(({ name, description = '', parameters, parametersJsonSchema }) => ({
          name,
          group: '',
          description,
          schema: parametersJsonSchema ?? parameters ?? {},
        })),
      results: said.contents
        .flatMap(({ parts = [] }) => parts)
        .flatMap(({ functionResponse }) => (functionResponse ? [resultOf(functionResponse.response ?? {})] : [])),
    };
  },
  whole: (answer) => ({
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part(answer)] } }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    modelVersion: 'scripted',
  }),
  stream: (answer) => [{ data: gemini.whole(answer) }],
};

function resultOf(response: object): string {
  const [only, ...others] = Object.values(response) as unknown[];
  return typeof only === 'string' && others.length === 0 ? only : JSON.stringify(response);
}

function part(answer: Answer): object {
  if ('text' in answer) return { text: answer.text };
  return { functionCall: { id: answer.id, name: answer.call.name, args: answer.arguments } };
}

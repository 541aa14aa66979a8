import { z } from 'zod';

const ANSWER = 'constant answer';

/** The tools of a server: the requested number of identical ones. */
export const tools = Array.from({ length: Number(process.env.TOOLS) }, (_, index) => ({
  name: `tool_${index}`,
  description: 'Answers with the same text every time.',
  parameters: z.object({ text: z.string() }),
}));

export const answer = () => ({ content: [{ type: 'text', text: ANSWER }] });

import { text } from '#skill-kit';
import type { PromptDefinition } from '../../../core/skills/prompt.registry.js';

const STEPS = `Write a workflow for this service, step by step:

1. Read workflow://reference (resource_read), and of its other parts those that you need. Write only what it says works here.
2. Say in a few lines which steps the workflow has, which tools they call (\`call: <tool>\`, with the arguments of the tool under \`with\`), and what it asks whom. Ask the user when the goal leaves something open.
3. Write it as YAML: \`document\` with dsl, namespace, name, version and summary (which says when to use it), \`input.schema\`, \`do\`.
4. Call workflow_check, mend every mistake, and call it again until it is valid.
5. Show it to the user. When the user agrees, call workflow_propose; workflow_try runs it with real effects, so ask before.
6. Say that an administrator has to enable it.`;

export const WRITE_WORKFLOW: PromptDefinition = {
  name: 'write_workflow',
  title: 'Write a workflow',
  description: 'Has the assistant write a workflow for this service, check it, and propose it to the administrators.',
  arguments: [{ name: 'goal', description: 'What the workflow is for, such as "a report of our feeds every Monday".' }],
  get: ({ goal = '' }) =>
    Promise.resolve([
      {
        role: 'user',
        content: text(goal.trim() === '' ? `${STEPS}\n\nAsk me first what it is for.` : `${STEPS}\n\nGoal: ${goal}`),
      },
    ]),
};

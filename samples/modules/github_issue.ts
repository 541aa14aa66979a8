// Opens, lists and reads issues on GitHub. Needs a token with access to issues in the secret "github" (page Secrets).
import { ask, failure, type ModuleUses, skill } from 'agent-service/skill';

const API = 'https://api.github.com';
const REPOSITORY = {
  type: 'string',
  pattern: '^[A-Za-z0-9-]{1,39}/[A-Za-z0-9._-]{1,100}$',
  description: 'Owner and name of the repository, such as "nodejs/node".',
};
const MOST_LISTED = 30;
const LONGEST_BODY = 20_000;
const uses: ModuleUses = {
  hosts: ['api.github.com'],
  secrets: ['github'],
  settings: {
    asks_first: { type: 'boolean', description: 'Whether a person is asked before an issue is opened.', default: true },
  },
};

interface Issue {
  number: number;
  title: string;
  state: string;
  html_url: string;
  body: string | null;
  labels: { name: string }[];
  pull_request?: object;
}
interface Context {
  fetch: typeof fetch;
  secret(name: string): string;
  signal: AbortSignal;
}

async function request(context: Context, path: string, init: { method?: string; body?: string } = {}) {
  const response = await context.fetch(`${API}${path}`, {
    ...init,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${context.secret('github')}`,
      'x-github-api-version': '2022-11-28',
    },
    signal: context.signal,
  });
  if (response.ok) return { value: await response.json() };
  const { message = '' } = (await response.json().catch(() => ({}))) as { message?: string };
  const advice = {
    401: 'the token is wrong',
    403: 'the token may not do this',
    404: 'there is none, or the token may not see it',
  };
  const why = advice[response.status as keyof typeof advice] ?? 'try again later';
  return { problem: failure(`GitHub answered ${response.status} ${message}: ${why}.`) };
}

const short = ({ number, title, state, html_url, labels }: Issue) => ({
  ...{ number, title, state, url: html_url },
  labels: labels.map(({ name }) => name),
});

export default [
  skill<{ repository: string; words?: string }>({
    name: 'github_issues',
    title: 'List issues on GitHub',
    description: 'Use this to list the newest open issues of a repository on GitHub, or those with certain words.',
    input: {
      type: 'object',
      properties: {
        repository: REPOSITORY,
        words: {
          type: 'string',
          maxLength: 200,
          description: 'What to look for, such as "crash on start". By default, all.',
        },
      },
      required: ['repository'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
    uses,
    async execute({ repository, words }, context) {
      const query = new URLSearchParams({ q: `repo:${repository} is:issue is:open ${words ?? ''}`, sort: 'created' });
      const got = await request(context, `/search/issues?${query.toString()}&per_page=${MOST_LISTED}`);
      if ('problem' in got) return got.problem;
      const { items, total_count } = got.value as { items: Issue[]; total_count: number };
      return { issues: items.map(short), total: total_count };
    },
  }),

  skill<{ repository: string; number: number }>({
    name: 'github_issue_read',
    title: 'Read an issue on GitHub',
    description: 'Use this to read one issue of a repository on GitHub, with its text.',
    input: {
      type: 'object',
      properties: {
        repository: REPOSITORY,
        number: { type: 'integer', minimum: 1, description: 'Number of the issue, such as 42.' },
      },
      required: ['repository', 'number'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
    uses,
    async execute({ repository, number }, context) {
      const got = await request(context, `/repos/${repository}/issues/${number}`);
      if ('problem' in got) return got.problem;
      const issue = got.value as Issue;
      const body = issue.body ?? '';
      return { ...short(issue), body: body.slice(0, LONGEST_BODY), truncated: body.length > LONGEST_BODY };
    },
  }),

  skill<{ repository: string; title: string; body?: string; labels?: string[] }>({
    name: 'github_issue_open',
    title: 'Open an issue on GitHub',
    description:
      'Use this to open an issue in a repository on GitHub, when the user wants it. Look with github_issues first whether there is one already.',
    input: {
      type: 'object',
      properties: {
        repository: REPOSITORY,
        title: {
          type: 'string',
          minLength: 1,
          maxLength: 256,
          description: 'What is wrong or wanted, such as "Crash on start".',
        },
        body: { type: 'string', maxLength: 60_000, description: 'The text, in Markdown. By default, none.' },
        labels: {
          type: 'array',
          items: { type: 'string', maxLength: 50 },
          maxItems: 20,
          description: 'Labels such as ["bug"]. By default, none.',
        },
      },
      required: ['repository', 'title'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    uses,
    async execute({ repository, title, body = '', labels = [] }, context) {
      const { asks_first: asksFirst } = context.settings as { asks_first: boolean };
      if (asksFirst && context.answers['open'] === undefined) {
        const message = `Open this issue in ${repository}?\n\n${title}\n\n${body.slice(0, 2_000)}`;
        return ask({ open: { message, schema: { type: 'object', properties: {} } } });
      }
      if (asksFirst && context.answers['open'] === null)
        return failure('The user does not want this issue to be opened. Do not try again.');
      const got = await request(context, `/repos/${repository}/issues`, {
        method: 'POST',
        body: JSON.stringify({ title, body, labels }),
      });
      return 'problem' in got ? got.problem : short(got.value as Issue);
    },
  }),
];

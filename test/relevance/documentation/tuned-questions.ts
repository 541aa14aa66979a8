import type { JudgedQuery } from './judged-query.js';

export const TUNED_QUESTIONS: readonly JudgedQuery[] = [
  {
    kind: 'question',
    query: 'yaml for a workflow on a GitHub runner that gets bun at a fixed version',
    relevant: {
      'bun-types/docs/guides/runtime/cicd.mdx': 3,
      'bun-types/docs/guides/install/cicd.mdx': 3,
      'bun-types/docs/pm/cli/install.mdx': 1,
    },
    answer: 'bun-version:',
  },
  {
    kind: 'question',
    query: 'shell one-liner that prints only the test script out of package.json',
    relevant: { 'npm/docs/content/commands/npm-pkg.md': 3 },
    answer: 'npm pkg get scripts.test',
  },
  {
    kind: 'question',
    query: 'can I hand a ReadableStream over to a worker with structuredClone?',
    relevant: { 'bun-types/docs/runtime/nodejs-compat.mdx': 3 },
    answer: 'Streams cannot be transferred with `postMessage()` or `structuredClone()`.',
  },
  {
    kind: 'question',
    query:
      'Our prerelease went out to everyone by default. How do I publish it so that only people who ask for the beta channel get it?',
    relevant: {
      'npm/docs/content/commands/npm-dist-tag.md': 3,
      'npm/docs/content/commands/npm-publish.md': 2,
      'bun-types/docs/pm/cli/publish.mdx': 2,
    },
    answer: '`npm publish --tag=beta`',
  },
  {
    kind: 'question',
    query: 'put the tokens per second and the latency of every provider answer on a dashboard',
    relevant: { 'ai/docs/03-ai-sdk-core/65-lifecycle-callbacks.mdx': 3, 'ai/docs/03-ai-sdk-core/60-telemetry.mdx': 1 },
    answer: "metrics.gauge('ai.model.tokens_per_second', {",
  },
  {
    kind: 'question',
    query: 'my scraper collects hrefs like /docs, but I need complete addresses',
    relevant: {
      'bun-types/docs/guides/html-rewriter/extract-links.mdx': 3,
      'bun-types/docs/runtime/html-rewriter.mdx': 1,
    },
    answer: 'const absoluteURL = new URL(href, url).href;',
  },
  {
    kind: 'question',
    query: "the package with our organisation's prefix came out private, now everyone should be able to install it",
    relevant: {
      'npm/docs/content/commands/npm-access.md': 3,
      'npm/docs/content/using-npm/scope.md': 2,
      'npm/docs/content/commands/npm-publish.md': 2,
    },
    answer: 'npm access set status=public',
  },
  {
    kind: 'question',
    query:
      'My chat UI says it is streaming but for several seconds there is nothing to read. When should I show the spinner?',
    relevant: {
      'ai/docs/09-troubleshooting/16-streaming-status-delay.mdx': 3,
      'ai/docs/04-ai-sdk-ui/02-chatbot.mdx': 1,
    },
    answer: 'lastMessage?.parts?.length === 0;',
  },
  {
    kind: 'question',
    query: 'the password of my private registry has an @ in it, how do I write it inside the address?',
    relevant: { 'bun-types/docs/pm/scopes-registries.mdx': 3, 'bun-types/docs/pm/cli/add.mdx': 2 },
    answer: 'the password `p@ss` is written `p%40ss`',
  },
  {
    kind: 'question',
    query: 'put react into my manifest as exactly the version it finds today, without the caret',
    relevant: {
      'bun-types/docs/pm/cli/add.mdx': 3,
      'bun-types/docs/guides/install/add.mdx': 2,
      'bun-types/docs/pm/cli/install.mdx': 2,
    },
    answer: 'bun add react --exact',
  },
  {
    kind: 'question',
    query: 'one local package of my repository needs another local one, what do I write as the version?',
    relevant: {
      'bun-types/docs/guides/install/workspaces.mdx': 3,
      'bun-types/docs/pm/workspaces.mdx': 3,
      'npm/docs/content/using-npm/workspaces.md': 1,
    },
    answer: 'workspace:*',
  },
  {
    kind: 'question',
    query: 'I need two majors of the same library side by side in one project, so one must get another name',
    relevant: {
      'npm/docs/content/using-npm/package-spec.md': 3,
      'bun-types/docs/guides/install/npm-alias.mdx': 3,
      'npm/docs/content/commands/npm-install.md': 2,
    },
    answer: 'this refers to a package by an alias',
  },
  {
    kind: 'question',
    query: 'after an upgrade TypeScript says my model does not fit the type LanguageModelV1',
    relevant: {
      'ai/docs/09-troubleshooting/30-model-is-not-assignable-to-type.mdx': 3,
      'ai/docs/09-troubleshooting/19-unsupported-model-version.mdx': 1,
    },
    answer: 'Update your provider packages and the AI SDK to the latest version.',
  },
  {
    kind: 'question',
    query: "I'm somewhere deep in a subfolder; which command tells me where the project's top folder is?",
    relevant: {
      'npm/docs/content/commands/npm-prefix.md': 3,
      'npm/docs/content/configuring-npm/folders.md': 2,
      'npm/docs/content/commands/npm-root.md': 1,
    },
    answer: 'This is the closest parent directory to contain a `package.json` file',
  },
  {
    kind: 'question',
    query:
      'what do I return from the request handler once a socket connection was accepted, and what does the client see?',
    relevant: { 'bun-types/docs/guides/websocket/simple.mdx': 3, 'bun-types/docs/runtime/http/websockets.mdx': 3 },
    answer: 'Bun automatically returns a 101 Switching Protocols',
  },
  {
    kind: 'question',
    query: 'someone is hammering my chat endpoint and it costs a fortune, limit how often one visitor may call it',
    relevant: {
      'ai/docs/06-advanced/06-rate-limiting.mdx': 3,
      'ai/docs/06-advanced/10-vercel-deployment-guide.mdx': 1,
    },
    answer: "limiter: Ratelimit.fixedWindow(5, '30s'),",
  },
  {
    kind: 'question',
    query:
      "behind our proxy we have both the certificate's text and a path to a bundle in the config. Which one counts for bun install?",
    relevant: { 'bun-types/docs/pm/npmrc.mdx': 3, 'bun-types/docs/runtime/bunfig.mdx': 2 },
    answer: 'If both are set, only `cafile` is used.',
  },
  {
    kind: 'question',
    query:
      'release from a workflow without a long-lived token: how do I tell the registry which repository and file may do it?',
    relevant: { 'npm/docs/content/commands/npm-trust.md': 3 },
    answer: 'npm trust github [package] --file',
  },
  {
    kind: 'question',
    query: 'if I ship only precompiled bytecode, can customers still read my source?',
    relevant: { 'bun-types/docs/bundler/bytecode.mdx': 3, 'bun-types/docs/bundler/executables.mdx': 1 },
    answer: 'Bytecode **does not obscure your source code**',
  },
  {
    kind: 'question',
    query: 'mix two colours in a stylesheet so that browsers without that function get the finished value',
    relevant: { 'bun-types/docs/bundler/css.mdx': 3 },
    answer: 'background-color: color-mix(in srgb, blue 30%, red);',
  },
  {
    kind: 'question',
    query: 'will clients be disconnected if I change a yaml settings file while the server runs?',
    relevant: { 'bun-types/docs/runtime/yaml.mdx': 3, 'bun-types/docs/guides/runtime/import-yaml.mdx': 2 },
    answer: 'reloads them without closing connections',
  },
  {
    kind: 'question',
    query: "get a price with its currency and the due date out of an invoice's text as typed values",
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/14-extract.mdx': 3,
      'ai/docs/03-ai-sdk-core/33-extractions.mdx': 3,
      'ai/docs/03-ai-sdk-core/10-generating-structured-data.mdx': 1,
    },
    answer: 'One typed answer per field ID',
  },
  {
    kind: 'question',
    query: 'what do I have to install for an agent that goes on where it was after the server restarts?',
    relevant: {
      'ai/docs/03-agents/07-workflow-agent.mdx': 3,
      'ai/docs/07-reference/04-ai-sdk-workflow/01-workflow-agent.mdx': 2,
    },
    answer: 'npm install @ai-sdk/workflow workflow@5',
  },
  {
    kind: 'question',
    query: 'streamed Japanese arrives in big lumps since there are no spaces between words',
    relevant: { 'ai/docs/07-reference/01-ai-sdk-core/80-smooth-stream.mdx': 3 },
    answer: "new Intl.Segmenter('ja', { granularity: 'word' });",
  },
  {
    kind: 'question',
    query: 'give up on the text to voice request if it takes more than a second',
    relevant: {
      'ai/docs/03-ai-sdk-core/37-speech.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/12-generate-speech.mdx': 2,
    },
    answer: 'abortSignal: AbortSignal.timeout(1000), // Abort after 1 second',
  },
  {
    kind: 'question',
    query:
      'The model call fails because an earlier function call in the history was never answered and then the user wrote something new',
    relevant: {
      'ai/docs/09-troubleshooting/21-missing-tool-results-error.mdx': 3,
      'ai/docs/09-troubleshooting/05-tool-invocation-missing-result.mdx': 2,
    },
    answer: 'while there are pending tool calls from a previous turn',
  },
  {
    kind: 'question',
    query: 'show beside each reply how many tokens it used and when it was made',
    relevant: {
      'ai/docs/04-ai-sdk-ui/25-message-metadata.mdx': 3,
      'ai/docs/04-ai-sdk-ui/02-chatbot.mdx': 3,
      'ai/docs/04-ai-sdk-ui/20-streaming-data.mdx': 1,
    },
    answer: 'totalTokens: part.totalUsage.totalTokens,',
  },
  {
    kind: 'question',
    query: 'the build should give up after ten broken tests instead of running through all of them',
    relevant: {
      'bun-types/docs/guides/test/bail.mdx': 3,
      'bun-types/docs/test/index.mdx': 2,
      'bun-types/docs/guides/test/migrate-from-jest.mdx': 1,
    },
    answer: 'bun test --bail=10',
  },
  {
    kind: 'question',
    query: 'there is a stop and a start script but nothing for bouncing the app: which hooks fire, and in what order?',
    relevant: { 'npm/docs/content/commands/npm-restart.md': 3, 'npm/docs/content/using-npm/scripts.md': 2 },
    answer: 'but it does have `stop` and/or `start` scripts',
  },
  {
    kind: 'question',
    query:
      "we serve static files and an API with express plus webpack today, what would that look like with bun's own server?",
    relevant: { 'bun-types/docs/bundler/fullstack.mdx': 3 },
    answer: '// Replaces express.static',
  },
  {
    kind: 'question',
    query:
      'The model service broke off in the middle of an answer that was already being shown. Does the SDK try again by itself, or do I have to look at something and decide?',
    relevant: {
      'ai/docs/07-reference/05-ai-sdk-errors/ai-stream-provider-error.mdx': 3,
      'ai/docs/03-ai-sdk-core/50-error-handling.mdx': 1,
    },
    answer: '`isRetryable` is a retry classification, not an automatic retry.',
  },
  {
    kind: 'question',
    query: 'check a chat history from the database without an exception if it turns out malformed',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/33-safe-validate-ui-messages.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/32-validate-ui-messages.mdx': 2,
      'ai/docs/04-ai-sdk-ui/03-chatbot-message-persistence.mdx': 2,
    },
    answer: 'instead of throwing it returns an object with a `success` key',
  },
  {
    kind: 'question',
    query: 'my service on Railway runs but has no public address and no database yet',
    relevant: { 'bun-types/docs/guides/deployment/railway.mdx': 3 },
    answer: 'click **"Generate Domain"**',
  },
  {
    kind: 'question',
    query: 'I want to replay the requests my app sends in a terminal, can they be printed as commands?',
    relevant: { 'bun-types/docs/runtime/debugger.mdx': 3, 'bun-types/docs/runtime/environment-variables.mdx': 2 },
    answer: 'process.env.BUN_CONFIG_VERBOSE_FETCH = "curl";',
  },
  {
    kind: 'question',
    query: 'show me what changed between two releases of a package, but not the indentation noise',
    relevant: { 'npm/docs/content/commands/npm-diff.md': 3 },
    answer: 'Ignore whitespace when comparing lines in `npm diff`.',
  },
  {
    kind: 'question',
    query: 'what does ^0.2.0 let npm move to when I refresh my packages? it never goes to 0.3',
    relevant: { 'npm/docs/content/commands/npm-update.md': 3 },
    answer: 'the highest-sorting version that satisfies `^0.4.0`',
  },
  {
    kind: 'question',
    query: 'rewrite or drop <!-- --> remarks of a page while it passes through my server',
    relevant: { 'bun-types/docs/runtime/html-rewriter.mdx': 3 },
    answer: 'comment.text = "New comment text"; // Set comment text',
  },
  {
    kind: 'question',
    query:
      "Like python's `if __name__ == '__main__'`: do things only if the module was started itself, not when something else loads it",
    relevant: { 'bun-types/docs/guides/util/entrypoint.mdx': 3, 'bun-types/docs/runtime/module-resolution.mdx': 3 },
    answer: 'if (import.meta.main) {',
  },
  {
    kind: 'question',
    query: 'talk to my already deployed agent endpoint from a console window instead of the browser',
    relevant: {
      'ai/docs/03-agents/08-terminal-ui.mdx': 3,
      'ai/docs/07-reference/06-ai-sdk-tui/01-run-agent-tui.mdx': 2,
      'ai/docs/03-ai-sdk-harnesses/08-terminal-ui.mdx': 1,
    },
    answer: 'Pass a `ChatTransport` instead of an `agent`',
  },
  {
    kind: 'question',
    query: 'all bun installs of the company must come from our own mirror, with the secret taken from the environment',
    relevant: {
      'bun-types/docs/guides/install/custom-registry.mdx': 3,
      'bun-types/docs/pm/scopes-registries.mdx': 2,
      'bun-types/docs/pm/npmrc.mdx': 2,
      'bun-types/docs/runtime/bunfig.mdx': 2,
    },
    answer: 'registry = { url = "https://registry.npmjs.org", token = "$npm_token" }',
  },
];

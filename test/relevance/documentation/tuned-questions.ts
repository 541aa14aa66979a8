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
    query: 'print only the test script from package.json with an npm command',
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
      'Our prerelease became what npm installs by default. How do I publish it so that only people who ask for beta get it?',
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
    query: 'my scraper collects relative links like /docs, but I need absolute URLs',
    relevant: {
      'bun-types/docs/guides/html-rewriter/extract-links.mdx': 3,
      'bun-types/docs/runtime/html-rewriter.mdx': 1,
    },
    answer: 'const absoluteURL = new URL(href, url).href;',
  },
  {
    kind: 'question',
    query: 'our scoped package was published as private, how do I make it public now?',
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
      'bun-types/docs/pm/cli/install.mdx': 1,
    },
    answer: 'bun add react --exact',
  },
  {
    kind: 'question',
    query: 'one package of my bun monorepo depends on another one in it, what do I write as the version?',
    relevant: {
      'bun-types/docs/guides/install/workspaces.mdx': 3,
      'bun-types/docs/pm/workspaces.mdx': 3,
      'npm/docs/content/using-npm/workspaces.md': 1,
    },
    answer: 'workspace:*',
  },
  {
    kind: 'question',
    query: 'I need two major versions of the same package side by side, so one must be installed under another name',
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
      'publish from a GitHub workflow without a long-lived token: how do I tell npm which repository and workflow file to trust?',
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
    relevant: { 'bun-types/docs/runtime/yaml.mdx': 3 },
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
    query: 'which packages do I install for a durable agent that goes on after the server restarts?',
    relevant: {
      'ai/docs/03-agents/07-workflow-agent.mdx': 3,
      'ai/docs/07-reference/04-ai-sdk-workflow/01-workflow-agent.mdx': 2,
      'ai/docs/03-agents/10-eve.mdx': 2,
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
      'The model call fails because an earlier tool call in the message history has no result and then the user wrote something new',
    relevant: {
      'ai/docs/09-troubleshooting/21-missing-tool-results-error.mdx': 3,
      'ai/docs/09-troubleshooting/05-tool-invocation-missing-result.mdx': 2,
    },
    answer: 'while there are pending tool calls from a previous turn',
  },
  {
    kind: 'question',
    query: 'show beside each chat message how many tokens it used and when it was created',
    relevant: {
      'ai/docs/04-ai-sdk-ui/25-message-metadata.mdx': 3,
      'ai/docs/04-ai-sdk-ui/02-chatbot.mdx': 3,
      'ai/docs/04-ai-sdk-ui/20-streaming-data.mdx': 1,
    },
    answer: 'totalTokens: part.totalUsage.totalTokens,',
  },
  {
    kind: 'question',
    query: 'CI should stop the bun tests after ten failures instead of running through all of them',
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
      'The provider broke off in the middle of a streamed answer. Does the AI SDK retry by itself, or do I have to check something and decide?',
    relevant: {
      'ai/docs/07-reference/05-ai-sdk-errors/ai-stream-provider-error.mdx': 3,
      'ai/docs/03-ai-sdk-core/50-error-handling.mdx': 1,
    },
    answer: '`isRetryable` is a retry classification, not an automatic retry.',
  },
  {
    kind: 'question',
    query: 'validate the chat messages from my database without an exception when they turn out malformed',
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
    query: 'print the requests that my app sends with fetch as commands that I can replay in a terminal',
    relevant: {
      'bun-types/docs/runtime/debugger.mdx': 3,
      'bun-types/docs/runtime/environment-variables.mdx': 2,
      'bun-types/docs/runtime/networking/fetch.mdx': 2,
    },
    answer: 'process.env.BUN_CONFIG_VERBOSE_FETCH = "curl";',
  },
  {
    kind: 'question',
    query: 'show me the diff between two published versions of a package, but not the changes of indentation',
    relevant: { 'npm/docs/content/commands/npm-diff.md': 3, 'npm/docs/content/using-npm/config.md': 1 },
    answer: 'Ignore whitespace when comparing lines in `npm diff`.',
  },
  {
    kind: 'question',
    query: 'why does npm update never move a ^0.2.0 dependency to 0.3?',
    relevant: { 'npm/docs/content/commands/npm-update.md': 3 },
    answer: 'the highest-sorting version that satisfies `^0.4.0`',
  },
  {
    kind: 'question',
    query: 'rewrite or remove HTML comments of a page while it passes through my server',
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
    query: "bun install must use our company's registry for everything, with the token from an environment variable",
    relevant: {
      'bun-types/docs/guides/install/custom-registry.mdx': 3,
      'bun-types/docs/pm/scopes-registries.mdx': 2,
      'bun-types/docs/pm/npmrc.mdx': 2,
      'bun-types/docs/runtime/bunfig.mdx': 2,
      'bun-types/docs/guides/install/azure-artifacts.mdx': 1,
    },
    answer: 'registry = { url = "https://registry.npmjs.org", token = "$npm_token" }',
  },
];

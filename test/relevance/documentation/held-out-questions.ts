import type { JudgedQuery } from './judged-query.js';

export const HELD_OUT_QUESTIONS: readonly JudgedQuery[] = [
  {
    kind: 'question',
    query: 'fail the CI job when bun has two versions of a package installed although one would do',
    relevant: { 'bun-types/docs/pm/cli/dedupe.mdx': 3, 'npm/docs/content/commands/npm-find-dupes.md': 1 },
    answer: 'and exits `1` if there are duplicates',
  },
  {
    kind: 'question',
    query: "save the profile picture that somebody uploads in a form to the server's disk",
    relevant: { 'bun-types/docs/guides/http/file-uploads.mdx': 3 },
    answer: 'await Bun.write("profilePicture.png", profilePicture);',
  },
  {
    kind: 'question',
    query: 'go through the output of ls line by line in a bun script',
    relevant: { 'bun-types/docs/guides/runtime/shell.mdx': 3, 'bun-types/docs/runtime/shell.mdx': 3 },
    answer: 'for await (const line of $`ls -l`.lines()) {',
  },
  {
    kind: 'question',
    query: 'before I open it: is there anything at this path?',
    relevant: { 'bun-types/docs/guides/read-file/exists.mdx': 3, 'bun-types/docs/runtime/file-io.mdx': 2 },
    answer: 'await file.exists(); // boolean;',
  },
  {
    kind: 'question',
    query: "don't call the model twice for the same messages, keep its response in redis for an hour",
    relevant: { 'ai/docs/06-advanced/04-caching.mdx': 3, 'ai/docs/03-ai-sdk-core/40-middleware.mdx': 2 },
    answer: 'await redis.expire(key, 60 * 60);',
  },
  {
    kind: 'question',
    query: 'the streamable UI that my server action returns stays in the loading state, what did I forget to call?',
    relevant: {
      'ai/docs/07-reference/03-ai-sdk-rsc/03-create-streamable-ui.mdx': 3,
      'ai/docs/09-troubleshooting/07-unclosed-streams.mdx': 3,
      'ai/docs/07-reference/03-ai-sdk-rsc/04-create-streamable-value.mdx': 1,
    },
    answer: 'otherwise the response will be stuck in a loading state',
  },
  {
    kind: 'question',
    query: 'native add-ons crash since I installed a new version of node, how do I make npm compile them again?',
    relevant: { 'npm/docs/content/commands/npm-rebuild.md': 3 },
    answer: 'recompile all your C++ add-ons',
  },
  {
    kind: 'question',
    query: 'run only the tests whose name contains a certain word',
    relevant: {
      'bun-types/docs/test/discovery.mdx': 3,
      'bun-types/docs/test/index.mdx': 3,
      'bun-types/docs/guides/test/run-tests.mdx': 2,
    },
    answer: 'bun test --test-name-pattern addition',
  },
  {
    kind: 'question',
    query: 'get an HTML template as a plain string with an import statement',
    relevant: {
      'bun-types/docs/guides/runtime/import-html.mdx': 3,
      'bun-types/docs/runtime/file-types.mdx': 2,
      'bun-types/docs/bundler/loaders.mdx': 2,
    },
    answer: 'import html from "./file.html" with { type: "text" };',
  },
  {
    kind: 'question',
    query: 'the executable that my npm package installs is started by sh instead of node and fails with syntax errors',
    relevant: { 'npm/docs/content/configuring-npm/package-json.md': 3 },
    answer: '`#!/usr/bin/env node`',
  },
  {
    kind: 'question',
    query: "I don't want this one model call to show up in our traces",
    relevant: {
      'ai/docs/03-ai-sdk-core/60-telemetry.mdx': 3,
      'ai/docs/08-migration-guides/23-migration-guide-7-0.mdx': 1,
    },
    answer: 'telemetry: { isEnabled: false },',
  },
  {
    kind: 'question',
    query: 'remove a package from node_modules but leave it in package.json',
    relevant: { 'npm/docs/content/commands/npm-uninstall.md': 3 },
    answer: 'npm uninstall lodash --no-save',
  },
  {
    kind: 'question',
    query: 'make Claude think less without having to give it a token budget',
    relevant: { 'ai/docs/02-foundations/06-provider-options.mdx': 3, 'ai/docs/03-ai-sdk-core/26-reasoning.mdx': 2 },
    answer: 'without specifying a token budget',
  },
  {
    kind: 'question',
    query: 'our lawyers ask whether bun statically links any LGPL or other copyleft code',
    relevant: { 'bun-types/docs/project/license.mdx': 3 },
    answer: 'Bun statically links JavaScriptCore (and WebKit), which is LGPL-2 licensed.',
  },
  {
    kind: 'question',
    query: 'how to wait one second in an async function in bun without writing my own promise around setTimeout',
    relevant: { 'bun-types/docs/guides/util/sleep.mdx': 3, 'bun-types/docs/runtime/utils.mdx': 2 },
    answer: 'await Bun.sleep(1000);',
  },
  {
    kind: 'question',
    query:
      'I approved a build script for one release, the package moved on, and now my manifest holds dead entries. Clean them up',
    relevant: {
      'npm/docs/content/commands/npm-install-scripts.md': 3,
      'npm/docs/content/commands/npm-approve-scripts.md': 1,
    },
    answer: '`prune` removes `allowScripts` entries that no longer match an installed',
  },
  {
    kind: 'question',
    query: 'look up in the npm registry which dependencies an old version of a package had, without installing it',
    relevant: { 'npm/docs/content/commands/npm-view.md': 3 },
    answer: 'npm view ronn@0.3.5 dependencies',
  },
  {
    kind: 'question',
    query: 'how long is a forgery protection token for my forms good unless I say otherwise?',
    relevant: { 'bun-types/docs/runtime/csrf.mdx': 3 },
    answer: 'Milliseconds until the token expires. Defaults to 24 hours.',
  },
  {
    kind: 'question',
    query: 'run the same script in two of my workspaces with one npm command',
    relevant: { 'npm/docs/content/commands/npm-run.md': 3, 'npm/docs/content/using-npm/workspaces.md': 3 },
    answer: 'npm test -w a -w b',
  },
  {
    kind: 'question',
    query: 'no picture came back; where can I read what the provider complained about?',
    relevant: {
      'ai/docs/07-reference/05-ai-sdk-errors/ai-no-image-generated-error.mdx': 3,
      'ai/docs/03-ai-sdk-core/35-image-generation.mdx': 2,
    },
    answer: "console.log('Warnings:', call.warnings);",
  },
  {
    kind: 'question',
    query: 'is it wise to change the randomness and nucleus sampling at the same time?',
    relevant: {
      'ai/docs/03-ai-sdk-core/25-settings.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/01-generate-text.mdx': 1,
      'ai/docs/07-reference/01-ai-sdk-core/02-stream-text.mdx': 1,
    },
    answer: 'It is recommended to set either `temperature` or `topP`, but not both.',
  },
  {
    kind: 'question',
    query: 'run a callback whenever a file changes in this folder or a folder below it',
    relevant: { 'bun-types/docs/guides/read-file/watch.mdx': 3 },
    answer: 'const watcher = watch(import.meta.dir, { recursive: true }',
  },
  {
    kind: 'question',
    query: 'check how many times and with which arguments my fake was called',
    relevant: {
      'bun-types/docs/guides/test/mock-functions.mdx': 3,
      'bun-types/docs/test/mocks.mdx': 3,
      'bun-types/docs/guides/test/spy-on.mdx': 2,
    },
    answer: 'expect(random.mock.calls).toEqual([[1], [2], [3]]);',
  },
  {
    kind: 'question',
    query: 'when a voice session is over, who switches the microphone off, the library or I?',
    relevant: { 'ai/docs/07-reference/02-ai-sdk-ui/05-use-realtime.mdx': 3 },
    answer: 'SDK-acquired tracks are stopped on local capture stop or cleanup.',
  },
  {
    kind: 'question',
    query: 'Bun.readableStreamToText is marked as deprecated in my editor. What instead?',
    relevant: {
      'bun-types/docs/guides/streams/to-string.mdx': 3,
      'bun-types/docs/runtime/utils.mdx': 2,
      'bun-types/docs/runtime/binary-data.mdx': 1,
    },
    answer: 'const str = await stream.text();',
  },
  {
    kind: 'question',
    query: 'why do dates have other hours in my tests than when bun runs the program normally?',
    relevant: {
      'bun-types/docs/guides/runtime/timezone.mdx': 3,
      'bun-types/docs/test/dates-times.mdx': 3,
      'bun-types/docs/test/runtime-behavior.mdx': 2,
    },
    answer: 'Bun sets the time zone to `UTC`',
  },
  {
    kind: 'question',
    query: 'how do I add a dependency to only one of our npm workspaces?',
    relevant: { 'npm/docs/content/using-npm/workspaces.md': 3, 'npm/docs/content/commands/npm-install.md': 1 },
    answer: 'npm install abbrev -w a',
  },
  {
    kind: 'question',
    query:
      'We have several hundred tools and their schemas fill the context. Can the model search for those it needs, and would that cost an embedding call?',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/23-tool-search.mdx': 3,
      'ai/docs/03-ai-sdk-core/19-tool-search.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/20-tool.mdx': 1,
    },
    answer: 'The default search uses no embedding service',
  },
  {
    kind: 'question',
    query: 'results of a batch do not arrive in the order in which I sent the requests, how do I match them?',
    relevant: {
      'ai/docs/03-ai-sdk-core/42-batch.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/22-get-batch-results.mdx': 1,
    },
    answer: 'so use the ID rather than an array position',
  },
  {
    kind: 'question',
    query: 'ask the docker daemon for its status over its socket file',
    relevant: { 'bun-types/docs/guides/http/fetch-unix.mdx': 3, 'bun-types/docs/runtime/networking/fetch.mdx': 2 },
    answer: 'const unix = "/var/run/docker.sock";',
  },
  {
    kind: 'question',
    query: 'people can attach a link to their chat message as custom data; how does it get to the model as text?',
    relevant: {
      'ai/docs/07-reference/02-ai-sdk-ui/31-convert-to-model-messages.mdx': 3,
      'ai/docs/04-ai-sdk-ui/20-streaming-data.mdx': 1,
    },
    answer: 'text: `[${part.data.title}](${part.data.url})`,',
  },
  {
    kind: 'question',
    query: 'is it V8 that executes my code under bun, or whose engine?',
    relevant: {
      'bun-types/docs/index.mdx': 3,
      'bun-types/docs/runtime/index.mdx': 3,
      'bun-types/docs/runtime/debugger.mdx': 1,
    },
    answer: 'powered by JavaScriptCore',
  },
  {
    kind: 'question',
    query: 'make a little interactive prompt in the terminal that handles each line somebody enters',
    relevant: { 'bun-types/docs/guides/process/stdin.mdx': 3, 'bun-types/docs/runtime/console.mdx': 3 },
    answer: 'for await (const line of console) {',
  },
  {
    kind: 'question',
    query: 'which path and same-site policy does a session cookie get if I only pass name and value?',
    relevant: { 'bun-types/docs/runtime/cookies.mdx': 3, 'bun-types/docs/runtime/http/cookies.mdx': 1 },
    answer: 'Cookies default to `{ path: "/", sameSite: "lax" }`.',
  },
  {
    kind: 'question',
    query: 'do I have to set the content type myself when I answer a request with a file from disk?',
    relevant: {
      'bun-types/docs/guides/http/stream-file.mdx': 3,
      'bun-types/docs/runtime/http/routing.mdx': 2,
      'bun-types/docs/runtime/file-io.mdx': 1,
    },
    answer: 'Bun determines the `Content-Type` from the file extension',
  },
  {
    kind: 'question',
    query:
      'do I have to turn a node Buffer into something else before passing it to a function that wants a Uint8Array?',
    relevant: {
      'bun-types/docs/guides/binary/buffer-to-typedarray.mdx': 3,
      'bun-types/docs/runtime/binary-data.mdx': 2,
    },
    answer: 'so no conversion is needed',
  },
  {
    kind: 'question',
    query: 'how many gigabytes does WebKit take when I build it locally for a debug build of bun?',
    relevant: { 'bun-types/docs/project/contributing.mdx': 3 },
    answer: 'The WebKit folder, including build artifacts, is 8GB+ in size.',
  },
  {
    kind: 'question',
    query: 'why does generateText come back before my tool ran if a person has to confirm it?',
    relevant: {
      'ai/docs/03-ai-sdk-core/15-tools-and-tool-calling.mdx': 3,
      'ai/docs/03-agents/06-tool-approvals.mdx': 3,
      'ai/docs/04-ai-sdk-ui/03-chatbot-tool-usage.mdx': 1,
    },
    answer: "`generateText` and `streamText` don't pause execution",
  },
  {
    kind: 'question',
    query: 'can an agent that another agent delegates to ask the user for permission before it does something?',
    relevant: { 'ai/docs/03-agents/06-subagents.mdx': 3 },
    answer: 'Subagent tools cannot use approval flows such as `toolApproval`',
  },
  {
    kind: 'question',
    query: 'approvals that users gave yesterday are refused since we rotated the secret',
    relevant: {
      'ai/docs/07-reference/05-ai-sdk-errors/ai-invalid-tool-approval-signature-error.mdx': 3,
      'ai/docs/03-agents/06-tool-approvals.mdx': 2,
    },
    answer: 'The server secret changed between issuance and verification',
  },
];

import type { JudgedQuery } from './judged-query.js';

export const TUNED_KEYWORDS: readonly JudgedQuery[] = [
  {
    kind: 'keywords',
    query: 'agentStep ready_for_next_step',
    relevant: { 'ai/docs/03-ai-sdk-harnesses/06-workflow-utilities.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'revert deprecation warning npm',
    relevant: { 'npm/docs/content/commands/npm-undeprecate.md': 3, 'npm/docs/content/commands/npm-deprecate.md': 3 },
  },
  {
    kind: 'keywords',
    query: 'unknown approvalId',
    relevant: {
      'ai/docs/07-reference/05-ai-sdk-errors/ai-invalid-tool-approval-error.mdx': 3,
      'ai/docs/07-reference/05-ai-sdk-errors/ai-tool-call-not-found-for-approval-error.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'migrate message parts 4.2',
    relevant: {
      'ai/docs/08-migration-guides/27-migration-guide-4-2.mdx': 3,
      'ai/docs/08-migration-guides/26-migration-guide-5-0.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'live transcription pcm audio chunks',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/11-stream-transcribe.mdx': 3,
      'ai/docs/03-ai-sdk-core/36-transcription.mdx': 3,
    },
  },
  {
    kind: 'keywords',
    query: 'infer tool input types UIMessage',
    relevant: {
      'ai/docs/07-reference/02-ai-sdk-ui/47-infer-ui-tool.mdx': 3,
      'ai/docs/07-reference/02-ai-sdk-ui/46-infer-ui-tools.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/31-ui-message.mdx': 1,
    },
  },
  { kind: 'keywords', query: 'npm cit', relevant: { 'npm/docs/content/commands/npm-install-ci-test.md': 3 } },
  {
    kind: 'keywords',
    query: 'typed array into Blob',
    relevant: {
      'bun-types/docs/guides/binary/typedarray-to-blob.mdx': 3,
      'bun-types/docs/runtime/binary-data.mdx': 2,
      'bun-types/docs/guides/binary/arraybuffer-to-blob.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'blobs as text',
    relevant: { 'bun-types/docs/guides/binary/blob-to-string.mdx': 3, 'bun-types/docs/runtime/binary-data.mdx': 2 },
  },
  {
    kind: 'keywords',
    query: 'bytes decode TextDecoder',
    relevant: {
      'bun-types/docs/guides/binary/arraybuffer-to-string.mdx': 3,
      'bun-types/docs/guides/binary/typedarray-to-string.mdx': 3,
      'bun-types/docs/guides/binary/dataview-to-string.mdx': 2,
      'bun-types/docs/runtime/binary-data.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'file bytes() lazily',
    relevant: {
      'bun-types/docs/guides/read-file/uint8array.mdx': 3,
      'bun-types/docs/runtime/file-io.mdx': 2,
      'bun-types/docs/runtime/binary-data.mdx': 1,
      'bun-types/docs/guides/read-file/arraybuffer.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'expired cancelled failed request results',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/22-get-batch-results.mdx': 3,
      'ai/docs/03-ai-sdk-core/42-batch.mdx': 3,
    },
  },
  {
    kind: 'keywords',
    query: 'streamText replay buffer memory',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/02-stream-text-low-memory.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/02-stream-text.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'keepAliveMs',
    relevant: {
      'ai/docs/07-reference/02-ai-sdk-ui/42-pipe-ui-message-stream-to-response.mdx': 3,
      'ai/docs/07-reference/02-ai-sdk-ui/41-create-ui-message-stream-response.mdx': 3,
    },
  },
  {
    kind: 'keywords',
    query: 'devOptional inBundle',
    relevant: { 'npm/docs/content/configuring-npm/package-lock-json.md': 3 },
  },
  {
    kind: 'keywords',
    query: 'spyOn toHaveBeenCalledTimes',
    relevant: {
      'bun-types/docs/guides/test/spy-on.mdx': 3,
      'bun-types/docs/test/mocks.mdx': 3,
      'bun-types/docs/guides/test/mock-functions.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'EmptyResponseBodyError',
    relevant: {
      'ai/docs/07-reference/05-ai-sdk-errors/ai-empty-response-body-error.mdx': 3,
      'ai/docs/04-ai-sdk-ui/21-error-handling.mdx': 2,
      'ai/docs/07-reference/05-ai-sdk-errors/index.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'bun.lockb to text',
    relevant: {
      'bun-types/docs/pm/lockfile.mdx': 3,
      'bun-types/docs/pm/cli/install.mdx': 2,
      'bun-types/docs/guides/deployment/vercel.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'GeneratedFile base64 conversion',
    relevant: { 'ai/docs/07-reference/01-ai-sdk-core/92-default-generated-file.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'multimodal message part invalid content',
    relevant: {
      'ai/docs/07-reference/05-ai-sdk-errors/ai-invalid-data-content-error.mdx': 3,
      'ai/docs/02-foundations/03-prompts.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'override semver range selector dependents',
    relevant: { 'bun-types/docs/pm/overrides.mdx': 3, 'npm/docs/content/configuring-npm/package-json.md': 2 },
  },
  {
    kind: 'keywords',
    query: 'aspectRatio image-to-video',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/13-generate-video.mdx': 3,
      'ai/docs/03-ai-sdk-core/38-video-generation.mdx': 3,
      'ai/docs/07-reference/04-ai-sdk-workflow/03-generate-video.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'jwt openapi bun-first framework',
    relevant: { 'bun-types/docs/guides/ecosystem/elysia.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'devDependencies shorthand -d',
    relevant: { 'bun-types/docs/guides/install/add-dev.mdx': 3, 'bun-types/docs/pm/cli/add.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'AIState hook update client',
    relevant: {
      'ai/docs/07-reference/03-ai-sdk-rsc/08-use-ai-state.mdx': 3,
      'ai/docs/05-ai-sdk-rsc/03-generative-ui-state.mdx': 2,
      'ai/docs/07-reference/03-ai-sdk-rsc/02-create-ai.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'useChat svelte vue angular support',
    relevant: { 'ai/docs/07-reference/02-ai-sdk-ui/index.mdx': 3, 'ai/docs/04-ai-sdk-ui/01-overview.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'availableProviders',
    relevant: { 'ai/docs/07-reference/05-ai-sdk-errors/ai-no-such-provider-error.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'json import attributes',
    relevant: {
      'bun-types/docs/guides/runtime/import-json.mdx': 3,
      'bun-types/docs/runtime/file-types.mdx': 2,
      'bun-types/docs/bundler/loaders.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'harness useChat route session',
    relevant: { 'ai/docs/03-ai-sdk-harnesses/07-ui.mdx': 3, 'ai/docs/03-ai-sdk-harnesses/02-harness-agent.mdx': 2 },
  },
  {
    kind: 'keywords',
    query: 'custom model ids alias provider',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/42-custom-provider.mdx': 3,
      'ai/docs/03-ai-sdk-core/45-provider-management.mdx': 3,
    },
  },
  {
    kind: 'keywords',
    query: 'throttling completion rerenders',
    relevant: {
      'ai/docs/04-ai-sdk-ui/05-completion.mdx': 3,
      'ai/docs/09-troubleshooting/50-react-maximum-update-depth-exceeded.mdx': 2,
      'ai/docs/04-ai-sdk-ui/02-chatbot.mdx': 2,
      'ai/docs/07-reference/02-ai-sdk-ui/02-use-completion.mdx': 2,
      'ai/docs/07-reference/02-ai-sdk-ui/01-use-chat.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'Anthropic OpenAI skill upload providerReference',
    relevant: {
      'ai/docs/03-ai-sdk-core/41-skill-uploads.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/14-upload-skill.mdx': 3,
    },
  },
  {
    kind: 'keywords',
    query: 'html entities escaping',
    relevant: { 'bun-types/docs/guides/util/escape-html.mdx': 3, 'bun-types/docs/runtime/utils.mdx': 2 },
  },
  {
    kind: 'keywords',
    query: 'TZ bun test',
    relevant: {
      'bun-types/docs/test/dates-times.mdx': 3,
      'bun-types/docs/guides/runtime/timezone.mdx': 3,
      'bun-types/docs/test/runtime-behavior.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'onSetAIState save chat database',
    relevant: {
      'ai/docs/07-reference/03-ai-sdk-rsc/02-create-ai.mdx': 3,
      'ai/docs/05-ai-sdk-rsc/03-saving-and-restoring-states.mdx': 3,
      'ai/docs/05-ai-sdk-rsc/10-migrating-to-ui.mdx': 2,
    },
  },
  { kind: 'keywords', query: 'sha256 incremental digest hex', relevant: { 'bun-types/docs/runtime/hashing.mdx': 3 } },
  {
    kind: 'keywords',
    query: 'prompt chaining spaghetti blog',
    relevant: { 'ai/docs/06-advanced/09-sequential-generations.mdx': 3, 'ai/docs/03-agents/03-workflows.mdx': 2 },
  },
  {
    kind: 'keywords',
    query: 'questionType questionId isInstance',
    relevant: { 'ai/docs/07-reference/05-ai-sdk-errors/ai-decision-unsupported-question-type-error.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'LangChain adapter StreamEvent v2',
    relevant: { 'ai/docs/08-migration-guides/37-migration-guide-3-3.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'duplicates dry run npm',
    relevant: { 'npm/docs/content/commands/npm-find-dupes.md': 3, 'npm/docs/content/commands/npm-dedupe.md': 3 },
  },
];

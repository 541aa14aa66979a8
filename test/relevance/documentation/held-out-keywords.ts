import type { JudgedQuery } from './judged-query.js';

export const HELD_OUT_KEYWORDS: readonly JudgedQuery[] = [
  {
    kind: 'keywords',
    query: 'test runner smol memory',
    relevant: { 'bun-types/docs/test/runtime-behavior.mdx': 3, 'bun-types/docs/test/configuration.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'extraneous node_modules production',
    relevant: {
      'npm/docs/content/commands/npm-prune.md': 3,
      'bun-types/docs/pm/cli/prune.mdx': 3,
      'npm/docs/content/commands/npm-ls.md': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'clean install ci lockfile mismatch',
    relevant: { 'npm/docs/content/commands/npm-ci.md': 3, 'bun-types/docs/pm/cli/install.mdx': 2 },
  },
  {
    kind: 'keywords',
    query: 'add collaborator ownership package',
    relevant: { 'npm/docs/content/commands/npm-owner.md': 3, 'npm/docs/content/commands/npm-access.md': 2 },
  },
  {
    kind: 'keywords',
    query: 'publishConfig tag access registry',
    relevant: {
      'bun-types/docs/pm/cli/publish.mdx': 3,
      'npm/docs/content/configuring-npm/package-json.md': 2,
      'npm/docs/content/using-npm/registry.md': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'print environment variables',
    relevant: {
      'bun-types/docs/guides/runtime/read-env.mdx': 3,
      'bun-types/docs/runtime/environment-variables.mdx': 3,
    },
  },
  {
    kind: 'keywords',
    query: 'bun fmt exit codes',
    relevant: { 'bun-types/docs/format/index.mdx': 3, 'bun-types/docs/guides/format/migrate-from-prettier.mdx': 3 },
  },
  { kind: 'keywords', query: 'npm t', relevant: { 'npm/docs/content/commands/npm-test.md': 3 } },
  {
    kind: 'keywords',
    query: 'jsxImportSource preact',
    relevant: {
      'bun-types/docs/runtime/jsx.mdx': 3,
      'bun-types/docs/runtime/bunfig.mdx': 2,
      'bun-types/docs/bundler/esbuild.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'vscode breakpoints stepping',
    relevant: {
      'bun-types/docs/guides/runtime/vscode-debugger.mdx': 3,
      'bun-types/docs/guides/runtime/web-debugger.mdx': 1,
      'bun-types/docs/runtime/debugger.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'oxfmtrc prettierrc conflict',
    relevant: { 'bun-types/docs/guides/format/migrate-from-oxfmt.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'scoped registry login token',
    relevant: {
      'npm/docs/content/commands/npm-login.md': 3,
      'npm/docs/content/using-npm/scope.md': 3,
      'npm/docs/content/commands/npm-logout.md': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'realtime voice short-lived token providers',
    relevant: {
      'ai/docs/03-ai-sdk-core/36-realtime.mdx': 3,
      'ai/docs/07-reference/02-ai-sdk-ui/05-use-realtime.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'import toml',
    relevant: {
      'bun-types/docs/guides/runtime/import-toml.mdx': 3,
      'bun-types/docs/runtime/toml.mdx': 3,
      'bun-types/docs/runtime/file-types.mdx': 2,
      'bun-types/docs/bundler/loaders.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'npm help topics lookup terms',
    relevant: { 'npm/docs/content/commands/npm-help-search.md': 3, 'npm/docs/content/commands/npm-help.md': 2 },
  },
  {
    kind: 'keywords',
    query: 'mcp app iframe sandbox handlers',
    relevant: {
      'ai/docs/07-reference/02-ai-sdk-ui/48-mcp-app-renderer.mdx': 3,
      'ai/docs/03-ai-sdk-core/17-mcp-apps.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/24-mcp-apps.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'stream components server rsc tool',
    relevant: {
      'ai/docs/06-advanced/07-rendering-ui-with-language-models.mdx': 3,
      'ai/docs/05-ai-sdk-rsc/02-streaming-react-components.mdx': 3,
      'ai/docs/07-reference/03-ai-sdk-rsc/01-stream-ui.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'deferLoading',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/20-tool.mdx': 3,
      'ai/docs/03-ai-sdk-core/19-tool-search.mdx': 3,
      'ai/docs/07-reference/01-ai-sdk-core/22-dynamic-tool.mdx': 2,
      'ai/docs/03-ai-sdk-core/18-code-mode.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'npm staged publishing approval',
    relevant: { 'npm/docs/content/commands/npm-stage.md': 3, 'npm/docs/content/commands/npm-trust.md': 1 },
  },
  {
    kind: 'keywords',
    query: 'gcloud project number deploy container',
    relevant: { 'bun-types/docs/guides/deployment/google-cloud-run.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'third-party eslint plugins bunfig',
    relevant: {
      'bun-types/docs/lint/plugins.mdx': 3,
      'bun-types/docs/lint/index.mdx': 1,
      'bun-types/docs/guides/lint/migrate-from-eslint.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'BunFile mimetype',
    relevant: {
      'bun-types/docs/guides/read-file/mime.mdx': 3,
      'bun-types/docs/runtime/file-io.mdx': 2,
      'bun-types/docs/guides/http/stream-file.mdx': 1,
    },
  },
  { kind: 'keywords', query: 'outdated exclude @types', relevant: { 'bun-types/docs/pm/cli/outdated.mdx': 3 } },
  {
    kind: 'keywords',
    query: 'defaults providerOptions wrapLanguageModel',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/68-default-settings-middleware.mdx': 3,
      'ai/docs/03-ai-sdk-core/40-middleware.mdx': 2,
      'ai/docs/03-ai-sdk-core/45-provider-management.mdx': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'web standard APIs supported',
    relevant: {
      'bun-types/docs/runtime/web-apis.mdx': 3,
      'bun-types/docs/runtime/globals.mdx': 2,
      'bun-types/docs/index.mdx': 1,
      'bun-types/docs/runtime/nodejs-compat.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'read text file',
    relevant: { 'bun-types/docs/guides/read-file/string.mdx': 3, 'bun-types/docs/runtime/file-io.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'recommended tsconfig',
    relevant: {
      'bun-types/docs/runtime/typescript.mdx': 3,
      'bun-types/docs/typescript.mdx': 3,
      'bun-types/docs/guides/runtime/typescript.mdx': 3,
      'bun-types/docs/typescript-6.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'react fullstack template',
    relevant: {
      'bun-types/docs/guides/ecosystem/react.mdx': 3,
      'bun-types/docs/runtime/templating/init.mdx': 2,
      'bun-types/docs/bundler/fullstack.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'streamable value error catch',
    relevant: {
      'ai/docs/05-ai-sdk-rsc/08-error-handling.mdx': 3,
      'ai/docs/07-reference/03-ai-sdk-rsc/04-create-streamable-value.mdx': 2,
      'ai/docs/05-ai-sdk-rsc/05-streaming-values.mdx': 1,
    },
  },
  {
    kind: 'keywords',
    query: 'images memory include requestBody',
    relevant: {
      'ai/docs/09-troubleshooting/70-high-memory-usage-with-images.mdx': 3,
      'ai/docs/08-migration-guides/23-migration-guide-7-0.mdx': 1,
    },
  },
  { kind: 'keywords', query: 'npm patch edit-dir', relevant: { 'npm/docs/content/commands/npm-patch.md': 3 } },
  {
    kind: 'keywords',
    query: 'version bump rc prerelease preid',
    relevant: {
      'npm/docs/content/commands/npm-version.md': 3,
      'bun-types/docs/pm/cli/pm.mdx': 3,
      'npm/docs/content/using-npm/config.md': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'Uint8Array to nodejs Buffer',
    relevant: {
      'bun-types/docs/guides/binary/typedarray-to-buffer.mdx': 3,
      'bun-types/docs/runtime/binary-data.mdx': 2,
      'bun-types/docs/guides/binary/buffer-to-typedarray.mdx': 1,
    },
  },
  { kind: 'keywords', query: 'newline delimited json BOM', relevant: { 'bun-types/docs/runtime/jsonl.mdx': 3 } },
  {
    kind: 'keywords',
    query: 'readTextFile startLine endLine',
    relevant: { 'ai/docs/07-reference/01-ai-sdk-core/34-sandbox.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'npm config edit global user location',
    relevant: {
      'npm/docs/content/commands/npm-config.md': 3,
      'npm/docs/content/using-npm/config.md': 2,
      'npm/docs/content/configuring-npm/npmrc.md': 2,
    },
  },
  {
    kind: 'keywords',
    query: 'rerank topN',
    relevant: { 'ai/docs/07-reference/01-ai-sdk-core/06-rerank.mdx': 3, 'ai/docs/03-ai-sdk-core/31-reranking.mdx': 3 },
  },
  {
    kind: 'keywords',
    query: 'think tags strip middleware',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/66-extract-reasoning-middleware.mdx': 3,
      'ai/docs/03-ai-sdk-core/40-middleware.mdx': 3,
    },
  },
  {
    kind: 'keywords',
    query: 'abort running batch job',
    relevant: {
      'ai/docs/07-reference/01-ai-sdk-core/23-cancel-batch.mdx': 3,
      'ai/docs/03-ai-sdk-core/42-batch.mdx': 3,
    },
  },
  {
    kind: 'keywords',
    query: 'block install scripts package',
    relevant: {
      'npm/docs/content/commands/npm-deny-scripts.md': 3,
      'npm/docs/content/commands/npm-install-scripts.md': 3,
      'npm/docs/content/commands/npm-approve-scripts.md': 2,
      'bun-types/docs/pm/lifecycle.mdx': 1,
    },
  },
];

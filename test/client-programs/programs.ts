import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The environment of a program, without anything of the user who runs the tests. */
export interface Place {
  home: string;
  folder: string;
  /** The API key, passed as AGENT_KEY. */
  key: string;
  model: string;
  /** The code blocks of the manual, with URL and key filled in. */
  snippets: readonly string[];
}

export interface Start {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** A program that assistants run in, and how to set it up. */
export interface Program {
  name: string;
  package: string;
  /** Its entry point, below node_modules: packages with install scripts put it elsewhere. */
  file: string;
  /** The title of its section in the manual. */
  section: string;
  /** Writes its configuration, and returns the commands that complete it. */
  configure: (place: Place) => Promise<readonly Start[]>;
  ask: (place: Place) => Start;
  /** Lists its servers and their state. */
  list: (place: Place) => Start;
  /** Its message for a wrong key, which the manual quotes. */
  wrongKeyMessage: string;
}

const PROMPT = 'Call the tools of the server.';
const platform = `${process.platform}-${process.arch}`;

/** Trusts the folder; and with both a proxy and NO_PROXY, Gemini CLI reaches no server at all. */
const GEMINI = { GEMINI_CLI_TRUST_WORKSPACE: 'true', NO_PROXY: '', no_proxy: '' };

const claudeCode: Program = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  file: `@anthropic-ai/claude-code-${platform}/claude`,
  section: 'Claude Code',
  configure: async ({ snippets: [command = ''] }) => [{ args: commandOf(command) }],
  ask: (place) => ({ args: ['-p', PROMPT, '--allowedTools', 'mcp__agent'], env: anthropicModel(place) }),
  list: (place) => ({ args: ['mcp', 'get', 'agent'], env: anthropicModel(place) }),
  wrongKeyMessage: 'Invalid API key',
};

export const PROGRAMS: readonly Program[] = [
  claudeCode,
  {
    ...claudeCode,
    name: 'Claude Code (.mcp.json)',
    configure: async ({ folder, home, snippets: [, file = ''] }) => {
      await write(folder, '.mcp.json', file);
      // As if the user had approved the servers of the project.
      await write(home, '.claude/settings.json', JSON.stringify({ enableAllProjectMcpServers: true }));
      return [];
    },
  },
  {
    name: 'Codex',
    package: '@openai/codex',
    file: '@openai/codex/bin/codex.js',
    section: 'Codex',
    configure: async ({ home, model, snippets: [server = ''] }) => {
      const provider =
        'model = "scripted"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"\n' +
        `base_url = "${model}/v1"\nwire_api = "responses"\nenv_key = "MODEL_KEY"\n`;
      await write(home, '.codex/config.toml', `${provider}\n${server}`);
      return [];
    },
    ask: codexRun,
    list: codexRun, // its list shows the configuration, and does not connect
    wrongKeyMessage: 'AuthRequired',
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    file: '@google/gemini-cli/bundle/gemini.js',
    section: 'Gemini CLI',
    configure: ({ home, snippets: [settings = ''] }) => geminiSettings(home, '.gemini', settings, 'gemini-api-key'),
    ask: ({ model }) => ({
      args: ['-p', PROMPT, '--approval-mode', 'yolo', '-m', 'gemini-2.5-flash'],
      env: { ...GEMINI, GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model },
    }),
    list: () => ({ args: ['mcp', 'list'], env: GEMINI }),
    wrongKeyMessage: 'Disconnected',
  },
  {
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    file: '@qwen-code/qwen-code/cli-entry.js',
    section: 'Qwen Code',
    configure: ({ home, snippets: [settings = ''] }) => geminiSettings(home, '.qwen', settings, 'openai'),
    ask: ({ model }) => ({
      args: ['-p', PROMPT, '--approval-mode', 'yolo'],
      env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: 'scripted' },
    }),
    list: () => ({ args: ['mcp', 'list'] }),
    wrongKeyMessage: 'Disconnected',
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    file: `opencode-${platform}/bin/opencode`,
    section: 'opencode',
    configure: async ({ home, model, snippets: [settings = ''] }) => {
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        name: 'scripted',
        options: { baseURL: `${model}/v1`, apiKey: 'none' },
        models: { scripted: { name: 'scripted', tool_call: true, limit: { context: 200_000, output: 8_000 } } },
      };
      const config = { ...(JSON.parse(settings) as object), provider: { scripted: provider } };
      await write(home, '.config/opencode/opencode.json', JSON.stringify(config));
      return [];
    },
    ask: () => ({ args: ['run', '-m', 'scripted/scripted', PROMPT] }),
    list: () => ({ args: ['mcp', 'list'] }),
    wrongKeyMessage: 'needs authentication',
  },
];

function codexRun(): Start {
  return {
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', PROMPT],
    env: { MODEL_KEY: 'none' },
  };
}

/** Splits a command of the manual like a shell, without its first word. */
function commandOf(command: string): string[] {
  const words = [...command.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return words.slice(1);
}

const anthropicModel = ({ model }: Place): Record<string, string> => ({
  ANTHROPIC_BASE_URL: model,
  ANTHROPIC_API_KEY: 'none',
});

/** Gemini CLI and its forks need a setting for how they log in to their model. */
async function geminiSettings(home: string, folder: string, settings: string, selectedType: string): Promise<Start[]> {
  const merged = { ...(JSON.parse(settings) as object), security: { auth: { selectedType } } };
  await write(home, `${folder}/settings.json`, JSON.stringify(merged));
  return [];
}

async function write(folder: string, path: string, content: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

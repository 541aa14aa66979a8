import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ModuleReply, type ModuleRequest, SkillHost } from '#skill-host';
import { readOutput } from '../../features/modules/calls/module-output.rules.js';
import { usesOf } from '../../features/modules/declared/approval.rules.js';
import { readDeclaration } from '../../features/modules/declared/declaration.rules.js';
import type { DeclaredSetting, SettingValue } from '../../features/modules/declared/module.js';
import { problemsOfValues, settingsOf, valuesFor } from '../../features/modules/declared/settings.rules.js';
import { InvalidModule, InvalidModuleSettings } from '../../features/modules/modules.errors.js';
import { run } from './command.js';
import { CommandMisused } from './commands.errors.js';

const LIMIT_MS = 30_000;
const LINE = {
  usage:
    "npm run skill:try -- <file> [--skill <name>] [--input '{ ... }'] [--set <setting>=<value>] [--settings <file.json>]",
  operands: ['file'],
  options: {
    skill: { type: 'string' },
    input: { type: 'string' },
    set: { type: 'string', multiple: true },
    settings: { type: 'string' },
  },
} as const;

await run(LINE, async ({ operands: [path = ''], valueOf, valuesOf }) => {
  const host = new SkillHost({ onLog: (_key, level, line) => console.error(`${level}: ${line}`) });
  try {
    const file = basename(path);
    const code = { key: file, file, code: await readFile(path, 'utf8'), isTypeScript: /ts$/.test(file) };
    const declared = readDeclaration((await host.open(code)).declaration);
    if ('problems' in declared) throw new InvalidModule(file, declared.problems);
    const { skills } = declared;
    const [input, skill = skills[0]?.name ?? ''] = [valueOf('input'), valueOf('skill')];
    if (input === undefined) return JSON.stringify({ skills, uses: usesOf(skills) }, null, 2);
    const { uses, settings: own = [] } = skills.find(({ name }) => name === skill) ?? {};
    const all = settingsOf(skills);
    const given = { ...(await readSettings(valueOf('settings'))), ...settingsFrom(valuesOf('set'), all) };
    const problems = problemsOfValues(all, given);
    if (problems.length > 0) throw new InvalidModuleSettings(problems);
    const secrets = Object.fromEntries(uses?.secrets.map((name) => [name, process.env[name] ?? name]) ?? []);
    const context = {
      caller: { name: 'skill-try', groups: [] },
      answers: {},
      secrets,
      settings: valuesFor(own, given),
    };
    const call = { skill, input: JSON.stringify(JSON.parse(input)), context: JSON.stringify(context) };
    const handlers = { request: serve, progress: (told: object) => console.error(JSON.stringify(told)) };
    const output = await host.call(code, call, handlers, AbortSignal.timeout(LIMIT_MS));
    return JSON.stringify(readOutput(output), null, 2);
  } finally {
    await host.stop();
  }
});

/** Reads a file with an object of values. @throws CommandMisused */
async function readSettings(path: string | undefined): Promise<Record<string, SettingValue>> {
  if (path === undefined) return {};
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, SettingValue>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandMisused(`${path} must be a JSON object of settings, such as { "limit": 5 }.`, LINE.usage);
}

/** Reads texts such as limit=5. @throws CommandMisused */
function settingsFrom(texts: readonly string[], settings: readonly DeclaredSetting[]): Record<string, SettingValue> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === '') throw new CommandMisused(`--set ${text} must be <setting>=<value>.`, LINE.usage);
      const isText = settings.find((one) => one.name === name)?.type === 'string';
      return [name, isText ? value : valueOfText(value)];
    }),
  );
}

/** A number, true or false; any other text stays one, which then does not fit. */
const valueOfText = (text: string): SettingValue =>
  text === 'true' || text === 'false' ? text === 'true' : /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;

let state = 'null';

/** Does what a module asks for, as far as there is no service: requests go out from here, and secrets are environment variables. */
async function serve({ kind, value, body }: ModuleRequest, signal: AbortSignal): Promise<ModuleReply> {
  switch (kind) {
    case 'fetch': {
      const { url, ...init } = JSON.parse(value) as { url: string } & RequestInit;
      const response = await fetch(url, { ...init, signal, ...(body && { body: new Uint8Array(body) }) });
      const headers = Object.fromEntries(response.headers);
      const answered = { status: response.status, headers, url: response.url };
      return { value: JSON.stringify(answered), body: new Uint8Array(await response.arrayBuffer()) };
    }
    case 'state_get':
      return { value: state };
    case 'state_set':
      state = value;
      return { value: 'null' };
    case 'skill':
      throw new Error('there is no service here whose skills could be called');
  }
}

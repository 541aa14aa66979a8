import { readFile } from 'node:fs/promises';
import { isObject } from '#bounded-json';
import { usesOf } from '../../features/modules/declared/approval.rules.js';
import type { DeclaredSetting, SettingValue } from '../../features/modules/declared/module.js';
import { settingsOf } from '../../features/modules/declared/settings.rules.js';
import { callSkill, loadModule, stopTrials } from '../../features/modules/trial/call-skill.js';
import { run } from './command.js';
import { CommandMisused } from './commands.errors.js';

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

// There is no service: requests are sent from this process, and secrets are environment variables.
await run(LINE, async ({ operands: [path = ''], valueOf, valuesOf }) => {
  try {
    const { skills } = await loadModule(path);
    const settings = settingsOf(skills);
    const given = { ...(await readSettings(valueOf('settings'))), ...settingsFrom(valuesOf('set'), settings) };
    const [input, skill] = [valueOf('input'), valueOf('skill')];
    if (input === undefined) return JSON.stringify({ skills, uses: usesOf(skills) }, null, 2);
    const secrets = usesOf(skills).secrets.map((name) => [name, secretOf(name)] as const);
    const { state: _state, ...result } = await callSkill(path, objectIn(input, '--input'), {
      ...(skill !== undefined && { skill }),
      caller: { name: 'skill-try' },
      settings: given,
      secrets: Object.fromEntries(secrets),
      fetch: (request) => fetch(request),
      onProgress: (progress) => console.error(JSON.stringify(progress)),
    });
    return JSON.stringify(result, null, 2);
  } finally {
    await stopTrials();
  }
});

/** @throws CommandMisused when the variable is not set: any other value would be sent, and be refused elsewhere */
function secretOf(name: string): string {
  const value = process.env[name];
  if (value !== undefined) return value;
  throw new CommandMisused(`The module uses the secret ${name}: set the environment variable ${name}.`, LINE.usage);
}

/** Reads the values of settings from a file. @throws CommandMisused */
async function readSettings(path: string | undefined): Promise<Record<string, SettingValue>> {
  if (path === undefined) return {};
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandMisused(`--settings ${path} cannot be read: ${error.message}.`, LINE.usage);
  });
  return objectIn(text, path) as Record<string, SettingValue>;
}

/** @throws CommandMisused when the text is not a JSON object */
function objectIn(text: string, where: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text);
    if (isObject(read)) return read;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandMisused(`${where} must be a JSON object, such as { "limit": 5 }.`, LINE.usage);
}

/** Parses settings such as limit=5. @throws CommandMisused */
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

/** Parses a number, true or false; any other text stays a string, which validation then refuses. */
function valueOfText(text: string): SettingValue {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { SkillPackages } from '../src/features/packages/skill-packages.service.js';
import { skillText } from '../src/features/packages/testing.js';
import { answerIn } from './harness/stateless-message.js';
import type { TestService } from './support/service.js';
import { skillsServiceForSuite } from './support/skills-service.js';
import { until } from './support/until.js';

const NOTES = skillText(
  'release-notes',
  'Read references/STYLE.md first.',
  'metadata:\n  arguments: "version, audience?"\n  tags: "secret"\n',
);
const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]);

interface ListedSkill {
  uri: string;
  frontmatter: unknown;
  resources: { uri: string; digest: string; size: number }[];
}

describe('a folder with a SKILL.md', () => {
  let folder: string;
  let service: TestService;
  skillsServiceForSuite((...opened) => ([service, folder] = opened));
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
    await until(async () => (await answer('skills/list'))['skills']?.length === 0);
  });

  const put = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  const putNotes = async () => {
    await put('release-notes/references/STYLE.md', 'Write short.');
    await put('release-notes/a b.png', PICTURE);
    await put('release-notes/SKILL.md', NOTES);
    await until(async () => (await answer('skills/list'))['skills']?.length === 1);
  };
  const answer = async <Result extends object = Record<string, unknown[]>>(
    method: string,
    params: Record<string, unknown> = {},
  ) => {
    const { result } = await answerIn<{ result?: Result }>(await service.postStateless(method, params));
    return result ?? ({} as Partial<Result>);
  };
  const names = (listed: readonly { name: string }[]) => listed.map(({ name }) => name);
  const isSkillTool = (name: string) => name.startsWith('skill_');

  it('is there for a connected assistant of 2025: prompt, tools, resources, and notifications', async () => {
    const client = new ClientV1({ name: 'ide', version: '1' });
    const heard: string[] = [];
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
    client.setNotificationHandler(PromptListChangedNotificationSchema, () => void heard.push('prompts'));
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('resources'));
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    await service.connect(client);
    expect(client.getServerCapabilities()?.extensions).toEqual({
      'io.modelcontextprotocol/skills': { directoryRead: true },
    });
    expect(client.getInstructions()).not.toContain('skill');
    expect(names((await client.listTools()).tools).filter(isSkillTool)).toEqual([]);

    await putNotes();
    await until(() => ['tools', 'prompts', 'resources'].every((list) => heard.includes(list)));
    expect((await client.listPrompts()).prompts).toEqual([
      {
        name: 'release-notes',
        description: 'How to do release-notes.',
        arguments: [
          { name: 'version', required: true },
          { name: 'audience', required: false },
        ],
      },
    ]);
    const { messages } = await client.getPrompt({ name: 'release-notes', arguments: { version: '2.0' } });
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages)).toMatch(
      /- version: 2\.0.*Read references\/STYLE\.md first\..*- references\/STYLE\.md/,
    );
    await expect(client.getPrompt({ name: 'release-notes' })).rejects.toThrow('version');

    expect(names((await client.listTools()).tools).filter(isSkillTool)).toEqual(['skill_find', 'skill_read']);
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: args });
      return (content as { text: string }[]).map(({ text }) => text);
    };
    expect((await call('skill_find', { query: 'notes of a release' }))[0]).toContain('- release-notes: How to do');
    expect((await call('skill_find', { query: 'zebra' }))[0]).toContain('No skill fits');
    expect((await call('skill_read', { name: 'release-notes' }))[0]).toBe(NOTES);
    expect((await call('skill_read', { name: 'release-notes', file: 'references/STYLE.md' }))[0]).toBe('Write short.');
    const [picture] = await call('skill_read', { name: 'release-notes', file: 'a b.png' });
    expect(picture).toContain('resource_read returns it by its uri skill://release-notes/a%20b.png');
    expect((await call('skill_read', { name: 'release-notes', file: '../x' }))[0]).toContain('has no file "../x"');
    expect((await call('skill_read', { name: 'other' }))[0]).toContain('no skill "other"');
    await client.readResource({ uri: 'skill://release-notes/references/STYLE.md' });
    const uses = async () => {
      const { body } = await service.admin('GET', 'skill-packages/release-notes');
      return body as { uses: number; lastUsedAt: string | null };
    };
    // One prompt, three files through the tool, one as a resource.
    await until(async () => (await uses()).uses === 5);
    for (const file of ['./references/STYLE.md', 'references/STYLE.md#tone', './references/%53TYLE.md'])
      expect((await call('skill_read', { name: 'release-notes', file }))[0]).toBe('Write short.');
    expect((await uses()).lastUsedAt).not.toBeNull();

    const listed = await client.request({ method: 'skills/list' }, ResultSchema);
    expect(listed).toMatchObject({ skills: [{ uri: 'skill://release-notes/SKILL.md' }], cacheScope: 'private' });
    const unknown = client.request({ method: 'skills/get', params: { uri: 'skill://other/SKILL.md' } }, ResultSchema);
    await expect(unknown).rejects.toMatchObject({ code: -32602 });
    const { resources } = await client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('skill:'))).toEqual([
      {
        uri: 'skill://release-notes/SKILL.md',
        name: 'release-notes',
        description: 'How to do release-notes.',
        mimeType: 'text/markdown',
        size: Buffer.byteLength(NOTES),
      },
    ]);
    await client.subscribeResource({ uri: 'skill://release-notes/references/STYLE.md' });
    heard.length = 0;
    await put('release-notes/references/STYLE.md', 'Write shorter.');
    await until(() => heard.includes('skill://release-notes/references/STYLE.md'));
    await rm(join(folder, 'release-notes'), { recursive: true });
    await until(async () => !names((await client.listTools()).tools).some(isSkillTool));
    expect((await client.listPrompts()).prompts).toEqual([]);
    await expect(client.readResource({ uri: 'skill://release-notes/SKILL.md' })).rejects.toMatchObject({
      code: -32002,
    });
  });

  it('is there for an assistant of 2026 with the Skills extension, each file as the list says', async () => {
    await putNotes();
    const client = new ClientV2(
      { name: 'host', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await service.connectV2(client);
    expect(client.getInstructions()).toMatch(/^There is 1 skill here.*skill_find.*\n- release-notes: How to do/);
    const { skills = [] } = await answer<{ skills: ListedSkill[] }>('skills/list');
    expect(skills[0]).toMatchObject({
      uri: 'skill://release-notes/SKILL.md',
      frontmatter: {
        name: 'release-notes',
        description: 'How to do release-notes.',
        metadata: { arguments: 'version, audience?', tags: 'secret' },
      },
    });
    expect(await answer('skills/get', { uri: 'skill://release-notes/SKILL.md' })).toMatchObject({ skill: skills[0] });
    expect(skills[0]?.resources.map(({ uri }) => uri)).toEqual([
      'skill://release-notes/SKILL.md',
      'skill://release-notes/a%20b.png',
      'skill://release-notes/references/STYLE.md',
    ]);
    for (const { uri, digest, size } of skills[0]?.resources ?? []) {
      const [content] = (await client.readResource({ uri })).contents;
      const bytes =
        content && 'blob' in content ? Buffer.from(content.blob, 'base64') : Buffer.from(String(content?.['text']));
      expect([bytes.length, `sha256:${createHash('sha256').update(bytes).digest('hex')}`]).toEqual([size, digest]);
    }
    const directory = async (uri: string) =>
      (await answer('resources/directory/read', { uri }))['resources']?.map((one) => (one as { uri: string }).uri);
    expect(await directory('skill://release-notes')).toContain('skill://release-notes/references');
    expect(await directory('skill://release-notes/references')).toEqual(['skill://release-notes/references/STYLE.md']);
    for (const uri of ['skill://release-notes/', 'skill://release-notes/refer', 'skill://other', 'knowledge://x', 'x'])
      expect([uri, await directory(uri)]).toEqual([uri, uri.endsWith('/') ? expect.anything() : undefined]);
  });

  it('that is broken keeps the others, and the service, as they are', async () => {
    await put('bad/SKILL.md', '---\nname: bad\ndescription: [\n---\n');
    await put('huge/SKILL.md', `---\nname: huge\ndescription: "${'x'.repeat(100_000)}"\n---\n`);
    await putNotes();
    expect((await answer('skills/list'))['skills']).toHaveLength(1);
    expect((await fetch(new URL('/health/ready', service.origin))).status).toBe(200);
  });

  it.each([
    'resource == Resource::"skill://release-notes/SKILL.md");',
    'resource) when { resource.tags.contains("secret") };',
  ])('is hidden from a client that may not read it, also as a prompt: %s', async (about) => {
    await putNotes();
    const policy = `forbid(principal, action == Action::"readResource", ${about}`;
    expect((await service.admin('POST', 'policies', { name: 'no-notes', policy })).status).toBe(201);
    try {
      expect((await answer('skills/list'))['skills']).toEqual([]);
      expect((await answer('prompts/list'))['prompts']).toEqual([]);
      const read = await service.postStateless('resources/read', { uri: 'skill://release-notes/a%20b.png' });
      expect(JSON.stringify(await read.json())).toContain('policy no-notes forbids');
      const got = await service.postStateless('prompts/get', { name: 'release-notes', arguments: { version: '1' } });
      expect(JSON.stringify(await got.json())).toContain('policy no-notes forbids');
    } finally {
      await service.admin('DELETE', 'policies/no-notes');
    }
  });

  it('is not revealed by skill_read to a client that may not read it', async () => {
    const packages = service.app.get(SkillPackages, { strict: false });
    await put('other/SKILL.md', '---\nname: other\ndescription: Another one.\n---\nDo it.\n');
    await until(() => packages.find('other') !== undefined);
    const about = 'resource == Resource::"skill://release-notes/SKILL.md");';
    const policy = `forbid(principal, action == Action::"readResource", ${about}`;
    expect((await service.admin('POST', 'policies', { name: 'no-notes', policy })).status).toBe(201);
    try {
      const read = () => answer('tools/call', { name: 'skill_read', arguments: { name: 'release-notes' } });
      const absent = await read();
      await put('release-notes/SKILL.md', NOTES);
      await until(() => packages.find('release-notes') !== undefined);
      expect(absent).toEqual(await read());
      expect(JSON.stringify(absent)).toContain('policy no-notes forbids');
    } finally {
      await service.admin('DELETE', 'policies/no-notes');
    }
  });
});

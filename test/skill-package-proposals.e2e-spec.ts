import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { jest } from '@jest/globals';
import { PackageFolders } from '../src/features/packages/folder/package-folders.service.js';
import { TestService } from './support/service.js';
import { until } from './support/until.js';

const NOTES = {
  name: 'release-notes',
  description: 'How we write release notes: use it for changelogs.',
  instructions: 'Read references/STYLE.md first.',
  files: [{ path: 'references/STYLE.md', text: 'Write short.' }],
};

describe('an assistant that proposes a skill package', () => {
  let service: TestService;
  let client: Client;
  afterAll(() => client.close());
  TestService.forSuite(async (started) => {
    service = started;
    client = await service.connect(new Client({ name: 'assistant', version: '1' }));
  });

  const tools = async () => (await client.listTools()).tools.map(({ name }) => name);
  const propose = async (args: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name: 'skill_propose', arguments: args });
    return { isError, text: (content as { text: string }[]).map(({ text }) => text).join('\n') };
  };
  const proposals = async () =>
    (await service.admin('GET', 'skill-package-proposals')).body['items'] as { id: number; author: string }[];

  it('has the tool only while an administrator lets it', async () => {
    expect(await tools()).not.toContain('skill_propose');
    await service.admin('PUT', 'config/packages.proposals', { value: 'on' });
    await until(async () => (await tools()).includes('skill_propose'));
  });

  it('has it compared and accepted, and nobody gets it before', async () => {
    expect(await propose(NOTES)).toEqual({
      isError: false,
      text: expect.stringContaining('is proposed. Nobody gets it') as string,
    });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).not.toContain('release-notes');
    expect(await tools()).not.toContain('skill_read');
    const [item] = await proposals();
    expect(item).toMatchObject({ name: 'release-notes', author: 'default', description: NOTES.description });
    const path = `skill-package-proposals/${item?.id}`;
    const { body } = await service.admin('GET', path);
    expect(body).toMatchObject({
      version: null,
      instructions: NOTES.instructions,
      files: [
        {
          path: 'SKILL.md',
          change: 'added',
          before: null,
          after: expect.stringContaining('Read references/STYLE.md') as string,
        },
        { path: 'references/STYLE.md', change: 'added', after: 'Write short.' },
      ],
      problems: [],
    });
    expect((await service.admin('POST', `${path}/accept`, { digest: 'sha256:0' })).status).toBe(409);
    expect(await service.admin('POST', `${path}/accept`, { digest: body['digest'] })).toMatchObject({
      status: 200,
      body: { name: 'release-notes', version: 1, updatedBy: 'admin' },
    });
    expect(await proposals()).toEqual([]);
    const { content } = await client.callTool({ name: 'skill_read', arguments: { name: 'release-notes' } });
    expect(JSON.stringify(content)).toContain('Read references/STYLE.md first.');
    expect((await propose(NOTES)).text).toContain('nothing to propose');
  });

  it('may be refused, and is not accepted, when a folder has the package by now', async () => {
    await propose({ ...NOTES, instructions: 'Ask the folder.' });
    const [item] = await proposals();
    const path = `skill-package-proposals/${item?.id}`;
    const before = (await service.admin('GET', path)).body['digest'];
    const folder = { place: 'notes', name: NOTES.name, problems: [] };
    const folders = jest
      .spyOn(service.app.get(PackageFolders, { strict: false }), 'list')
      .mockImplementation(() => [folder]);
    const problem = { severity: 'error', message: expect.stringContaining('comes from a folder') as string };
    expect((await service.admin('GET', path)).body).toMatchObject({ digest: null, problems: [problem] });
    expect((await service.admin('POST', `${path}/accept`, { digest: before })).status).toBe(409);
    expect((await service.admin('DELETE', path)).status).toBe(204);
    folders.mockRestore();
  });

  it('receives its errors, and may be refused', async () => {
    expect(await propose({ ...NOTES, name: 'a--b' })).toEqual({
      isError: true,
      text: expect.stringContaining('SKILL.md:2 name must have 1 to 64 lower-case letters') as string,
    });
    expect((await propose({ ...NOTES, instructions: 'Ask the team.' })).isError).toBe(false);
    const [item] = await proposals();
    const { body } = await service.admin('GET', `skill-package-proposals/${item?.id}`);
    expect(body).toMatchObject({ version: 1, files: [{ path: 'SKILL.md', change: 'changed' }] });
    expect((await service.admin('DELETE', `skill-package-proposals/${item?.id}`)).status).toBe(204);
    expect((await service.admin('DELETE', `skill-package-proposals/${item?.id}`)).status).toBe(404);
    expect((await service.admin('GET', 'skill-package-proposals/99999999999999999999')).status).toBe(404);
    const { items } = (await service.admin('GET', 'audit?kind=change&limit=50')).body as {
      items: { action: string }[];
    };
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['acceptSkillPackageProposal', 'refuseSkillPackageProposal']),
    );
    const calls = (await service.admin('GET', 'audit?kind=call&q=skill_propose')).body['items'] as object[];
    expect(calls.length).toBeGreaterThan(2);
  });
});

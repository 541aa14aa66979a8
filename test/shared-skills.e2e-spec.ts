import { unzipSync } from 'fflate';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { digestOf } from '../src/features/packages/files/package-check.rules.js';
import { SkillPackages } from '../src/features/packages/skill-packages.service.js';
import { packageOf, skillText } from '../src/features/packages/testing.js';
import { TestService } from './support/service.js';

const SECRET = 'a-secret-of-the-team';
const INDEX = '.well-known/agent-skills/index.json';
const FILES_INDEX = '.well-known/skills/index.json';

interface Entry {
  name: string;
  type: string;
  url: string;
  digest: string;
}

describe('skill packages for programs that install skills', () => {
  let service: TestService;
  let packages: SkillPackages;
  TestService.forSuite((started) => {
    service = started;
    packages = service.app.get(SkillPackages, { strict: false });
  });

  const save = (name: string, files: Record<string, string | Uint8Array> = {}) =>
    packages.saveUpload(packageOf(name, files), 'ann');
  const get = (path: string, headers: Record<string, string> = {}, secret = SECRET) =>
    fetch(`${service.origin}/skills/${secret}/${path}`, { headers });
  const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());
  const index = async () => (await (await get(INDEX)).json()) as { $schema: string; skills: Entry[] };
  const names = async () => (await index()).skills.map(({ name }) => name);

  it('are not there as long as no secret is set, as nothing else is', async () => {
    await save('review');
    await save('release-notes', { 'docs/a b.md': 'Read.', 'p.bin': new Uint8Array([0, 255]) });
    const [answer, unknown] = [await get(INDEX), await fetch(`${service.origin}/no-such/path`)];
    expect([answer.status, unknown.status]).toEqual([404, 404]);
    const like = (text: string) => text.replace(/"Cannot GET [^"]*"/, '');
    expect(like(await answer.text())).toBe(like(await unknown.text()));
    await service.admin('PUT', 'config/packages.share_secret', { value: SECRET });
    expect((await get(INDEX)).status).toBe(200);
  });

  it('are in an index with the digests of what it points to', async () => {
    const { $schema, skills } = await index();
    expect($schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
    expect(skills).toMatchObject([
      { name: 'release-notes', type: 'archive', description: 'How to do release-notes.', url: 'release-notes.zip' },
      { name: 'review', type: 'skill-md', description: 'How to do review.', url: 'review/SKILL.md' },
    ]);
    for (const { url, digest } of skills) {
      const answer = await fetch(new URL(url, `${service.origin}/skills/${SECRET}/${INDEX}`));
      expect([url, answer.status, digestOf(await bytesOf(answer))]).toEqual([url, 200, digest]);
    }
    const unpacked = unzipSync(await bytesOf(await get('.well-known/agent-skills/release-notes.zip')));
    expect(Object.keys(unpacked).sort()).toEqual(['SKILL.md', 'docs/a b.md', 'p.bin']);
  });

  it('are in the index of the previous format version, with files that can be fetched', async () => {
    await save('odd', { 'a..b': 'x', '100%.md': 'x', 'c#.md': 'x', 'fine.md': 'x' });
    const { skills } = (await (await get(FILES_INDEX)).json()) as { skills: { name: string; files: string[] }[] };
    expect(skills).toMatchObject([
      { name: 'odd', files: ['SKILL.md', 'fine.md'] },
      { name: 'release-notes', files: ['SKILL.md', 'docs/a b.md', 'p.bin'] },
      { name: 'review', files: ['SKILL.md'] },
    ]);
    for (const { name, files } of skills)
      for (const file of files)
        expect([file, (await get(`.well-known/skills/${name}/${file}`)).status]).toEqual([file, 200]);
    expect(await bytesOf(await get('.well-known/skills/release-notes/p.bin'))).toEqual(new Uint8Array([0, 255]));
    expect((await get('.well-known/agent-skills/odd/100%25.md')).status).toBe(200);
    await packages.remove('odd', 'ann');
  });

  it.each([INDEX, FILES_INDEX, '.well-known/agent-skills/release-notes.zip', '.well-known/skills/review/SKILL.md'])(
    'answer 304 to who has %s already, and are no page of this site',
    async (path) => {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      await first.arrayBuffer();
      expect(etag).toMatch(/^"[\w:]+"$/);
      expect(first.headers.get('content-security-policy')).toContain('sandbox');
      expect(first.headers.get('x-content-type-options')).toBe('nosniff');
      for (const condition of [etag, `"other", W/${etag}`, '*']) {
        const again = await get(path, { 'if-none-match': condition });
        expect([condition, again.status, (await bytesOf(again)).length]).toEqual([condition, 304, 0]);
      }
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    },
  );

  it('change with the package, and are gone with it', async () => {
    const digest = async () => (await index()).skills.find(({ name }) => name === 'release-notes')?.digest;
    const before = await digest();
    await save('release-notes', { 'docs/a b.md': 'Read more.' });
    expect(await digest()).not.toBe(before);
    await packages.setEnabled('release-notes', false, 'ann');
    expect(await names()).toEqual(['review']);
    for (const path of ['agent-skills/release-notes.zip', 'skills/release-notes/SKILL.md'])
      expect((await get(`.well-known/${path}`)).status).toBe(404);
    await packages.setEnabled('release-notes', true, 'ann');
    expect(await names()).toEqual(['release-notes', 'review']);
  });

  it.each([
    'agent-skills/none.zip',
    'agent-skills/review',
    'agent-skills/..%2f..%2freview.zip',
    'skills/none/SKILL.md',
    'skills/review/none.md',
    'skills/review/..%2frelease-notes%2fSKILL.md',
    'skills/REVIEW%2fSKILL.md/x',
    'skills/review/%00',
    'skills/review/%ff',
    `skills/review/${'a'.repeat(5_000)}`,
  ])('answer clearly to %s', async (path) => {
    const answer = await get(`.well-known/${path}`);
    expect([400, 404]).toContain(answer.status);
    expect(await answer.text()).not.toMatch(/ at |node_modules/);
  });

  it('follow policies, which treat every reader as anonymous', async () => {
    const policy = `forbid(principal == Client::"anonymous", action == Action::"readResource", resource)
      when { resource.store == "skill" && resource.tags.contains("internal") };`;
    await service.admin('POST', 'policies', { name: 'not-for-all', policy, enabled: true });
    await save('secret-plan', { 'SKILL.md': skillText('secret-plan', 'Do it.', 'metadata:\n  tags: "internal"\n') });
    expect(await names()).toEqual(['release-notes', 'review']);
    const paths = ['agent-skills/secret-plan.zip', 'skills/secret-plan/SKILL.md'];
    for (const path of paths) expect((await get(`.well-known/${path}`)).status).toBe(404);
    await service.admin('DELETE', 'policies/not-for-all');
    expect(await names()).toEqual(['release-notes', 'review', 'secret-plan']);
    for (const path of paths) expect((await get(`.well-known/${path}`)).status).toBe(200);
    expect((await service.admin('POST', 'clients', { name: 'anonymous' })).status).toBe(409);
  });

  it('are recorded in the audit log, without the secret', async () => {
    await get('.well-known/agent-skills/release-notes.zip', { 'x-forwarded-for': '192.0.2.1' });
    await service.app.get(AuditLog).flush();
    const { items } = (await service.admin('GET', 'audit?client=anonymous&limit=200')).body as {
      items: { subject: string; outcome: string }[];
    };
    expect(items[0]).toMatchObject({ subject: 'skill://release-notes/SKILL.md', outcome: 'ok' });
    expect(items.some(({ outcome }) => outcome === 'denied')).toBe(true);
    const all = JSON.stringify((await service.admin('GET', 'audit?limit=200')).body);
    expect(all).not.toContain(SECRET);
    expect(JSON.stringify((await service.admin('GET', 'config/packages.share_secret')).body)).not.toContain(SECRET);
  });

  it('come to all who ask at once', async () => {
    const paths = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? 'agent-skills/release-notes.zip' : 'skills/review/SKILL.md',
    );
    const answers = await Promise.all(paths.map(async (path) => (await get(`.well-known/${path}`)).arrayBuffer()));
    expect(new Set(answers.map(({ byteLength }) => byteLength)).size).toBe(2);
  });

  it('make those wait who guess the secret, and never those who have it', async () => {
    const statuses = [];
    for (let at = 0; at < 35; at += 1) statuses.push((await get(INDEX, {}, `wrong-secret-number-${at}`)).status);
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 404));
    const refused = await get(INDEX, {}, 'one-more');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get(INDEX)).status).toBe(200);
    await service.admin('DELETE', 'config/packages.share_secret');
    expect((await get(INDEX)).status).toBe(404);
  });
});

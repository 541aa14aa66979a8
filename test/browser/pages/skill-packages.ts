import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PackageProposals } from '../../../src/features/packages/proposals/package-proposals.service.js';
import { skillText } from '../../../src/features/packages/testing.js';
import type { TestService } from '../../support/service.js';
import { zipOf } from '../../support/zip.js';
import { dialog, heading, link } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function skillPackagesPage(): void {
  const folder = mkdtempSync(join(tmpdir(), 'skills-'));
  let service: TestService;
  let page: Page;

  openAdmin('/admin/skill-packages', (opened) => ({ service, page } = opened), { env: { SKILLS_DIR: folder } });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const region = (name: string) => page.getByRole('region', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const upload = (name: string, buffer: Buffer) =>
    page.getByLabel('Upload', { exact: true }).setInputFiles([{ name, mimeType: 'application/zip', buffer }]);
  const notes = (guide: string) =>
    zipOf({
      'SKILL.md': Buffer.from(skillText('release-notes', '# Notes\n\nRead GUIDE.md.')),
      'GUIDE.md': Buffer.from(guide),
    });
  const current = async () => (await service.admin('GET', 'skill-packages/release-notes')).body['version'];

  it('says what to do when there is none, and what is wrong with an upload', async () => {
    await page.getByText('No skill packages').waitFor();
    await upload('broken.zip', zipOf({ 'SKILL.md': Buffer.from('---\nname: release-notes\n---\nDo it.\n') }));
    const refused = region('broken.zip was not taken');
    await refused.getByText('SKILL.md, line 1:').waitFor();
    await refused.getByText(/description is missing/).waitFor();
  });

  it('uploads a package, and shows its instructions and files', async () => {
    await upload('release-notes.zip', notes('Write short.'));
    await page.getByText('release-notes is saved as version 1.').waitFor();
    await page.getByRole('link', { name: 'release-notes' }).click();
    await heading(page, 'release-notes').waitFor();
    await page.getByRole('heading', { name: 'Notes', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show GUIDE.md' }).click();
    await page.getByText('Write short.').waitFor();
  });

  it('compares two versions, and sets back to one', async () => {
    await upload('release-notes.zip', notes('Write shorter.'));
    await page.getByText('release-notes is saved as version 2.').waitFor();
    await page.getByRole('button', { name: 'Compare version 1 with the current one' }).click();
    await region('Versions').getByText('GUIDE.md has changed').waitFor();
    await region('Versions').getByLabel('Changes of GUIDE.md').getByText('Write shorter.').waitFor();
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Clients get version 1 of release-notes.').waitFor();
    expect(await current()).toBe(1);
  });

  it('removes a package, and restores it', async () => {
    await page.getByRole('button', { name: 'Remove' }).click();
    await dialog(page).getByRole('button', { name: 'Remove package' }).click();
    await heading(page, 'Skill packages').waitFor();
    await page.getByRole('button', { name: 'Restore: release-notes' }).click();
    await page.getByText('release-notes is restored.').waitFor();
    await link(page, 'release-notes').waitFor();
    expect(await current()).toBe(1);
  });

  it('shows what an assistant proposes, and accepts or refuses it', async () => {
    const proposals = service.app.get(PackageProposals);
    const propose = (name: string, instructions: string) =>
      proposals.propose({ name, description: 'How we write notes.', instructions, files: [], author: 'ide' });
    await propose('release-notes', 'Ask the team first.');
    await propose('meeting-notes', 'Write who came.');
    await page.getByRole('button', { name: 'Look at meeting-notes of ide' }).click();
    await region('Proposed by assistants').getByText('would be a new package').waitFor();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('meeting-notes of ide is refused.').waitFor();
    await page.getByRole('button', { name: 'Look at release-notes of ide' }).click();
    await region('Proposed by assistants').getByText('SKILL.md has changed').waitFor();
    await page.getByLabel('Changes of SKILL.md').getByText('Ask the team first.').waitFor();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('release-notes is saved as version 3.').waitFor();
    await region('Proposed by assistants').waitFor({ state: 'detached' });
    expect(await current()).toBe(3);
  });

  it('shows what comes from a folder by itself, leaves it to its files, and says what is wrong with others', async () => {
    await mkdir(join(folder, 'deploy'));
    await writeFile(join(folder, 'deploy/SKILL.md'), skillText('deploy'));
    await mkdir(join(folder, 'bad'));
    await writeFile(join(folder, 'bad/SKILL.md'), skillText('Worse'));
    await region('bad').getByText('SKILL.md, line 2:').waitFor();
    await row('deploy').getByText('SKILLS_DIR').waitFor();
    await page.getByRole('switch', { name: 'Enabled: deploy' }).click({ force: true });
    await page.getByRole('link', { name: 'deploy', exact: true }).click();
    await heading(page, 'deploy').waitFor();
    await page.getByText('A folder in SKILLS_DIR: change its files there').waitFor();
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect((await service.admin('GET', 'skill-packages/deploy')).body['enabled']).toBe(false);
  });
}

import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PackageProposals } from '../../../src/features/packages/proposals/package-proposals.service.js';
import { skillText } from '../../../src/features/packages/testing.js';
import type { TestService } from '../../support/service.js';
import { zipOf } from '../../support/zip.js';
import { dialog, heading, link, replaceText } from '../admin-pages.js';
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
    const refused = region('broken.zip was not accepted');
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

  it('shows many packages in parts, and finds one by its name', async () => {
    const name = (number: number) => `robot-${number}`;
    for (let number = 100; number < 220; number += 1) {
      const base64 = zipOf({ 'SKILL.md': Buffer.from(skillText(name(number), 'Do it.')) }).toString('base64');
      await service.admin('POST', 'skill-packages', { file: `${name(number)}.zip`, base64 });
    }
    await page.goto('/admin/skill-packages');
    await row('robot-100').waitFor();
    expect(await row('robot-').count()).toBe(99); // and release-notes
    await page.getByRole('searchbox', { name: 'Search skill packages' }).fill('ROBOT-217');
    await row('robot-217').waitFor();
    expect(await row('robot-').count()).toBe(1);
    for (let number = 100; number < 220; number += 1) await service.admin('DELETE', `skill-packages/${name(number)}`);
    await page.goto('/admin/skill-packages/release-notes');
    await heading(page, 'release-notes').waitFor();
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
    const missing: string[] = [];
    page.on('response', (response) => void (response.status() === 404 && missing.push(response.url())));
    await dialog(page).getByRole('button', { name: 'Remove package' }).click();
    await heading(page, 'Skill packages').waitFor();
    expect(missing).toEqual([]); // the page does not request what was deleted
    await page.getByRole('button', { name: 'Restore: release-notes' }).click();
    await page.getByText('release-notes is restored.').waitFor();
    await link(page, 'release-notes').waitFor();
    expect(await current()).toBe(1);
  });

  it('shows what an assistant proposes, and accepts or refuses it', async () => {
    const proposals = service.app.get(PackageProposals);
    const propose = (name: string, instructions: string) =>
      proposals.propose({ name, description: 'How we write notes.', instructions, files: [], author: 'ide' });
    await propose('release-notes', 'Ask the team first.\u202e\u{e0041}');
    await propose('meeting-notes', 'Write who came.');
    await page.getByRole('button', { name: 'Look at meeting-notes of ide' }).click();
    await region('Proposed by assistants').getByText('would be a new package').waitFor();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('meeting-notes of ide is refused.').waitFor();
    await page.getByRole('button', { name: 'Look at release-notes of ide' }).click();
    await region('Proposed by assistants').getByText('SKILL.md has changed').waitFor();
    const changes = page.getByLabel('Changes of SKILL.md');
    await changes.getByText('Ask the team first.').waitFor();
    // Characters that hide or reorder others are shown.
    await changes.getByLabel('Control character right-to-left override').waitFor();
    await changes.getByLabel('Control character 0xe0041').waitFor();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('release-notes is saved as version 3.').waitFor();
    await region('Proposed by assistants').waitFor({ state: 'detached' });
    expect(await current()).toBe(3);
  });

  it('shows packages of a folder automatically and read-only, and reports errors of others', async () => {
    await mkdir(join(folder, 'deploy'));
    await writeFile(join(folder, 'deploy/SKILL.md'), skillText('deploy'));
    await mkdir(join(folder, 'bad'));
    await writeFile(join(folder, 'bad/SKILL.md'), skillText('Worse'));
    await region('bad').getByText('SKILL.md, line 2:').waitFor();
    await region('bad').getByText('It is not loaded until its errors are fixed').waitFor();
    await mkdir(join(folder, 'warned'));
    await writeFile(join(folder, 'warned/SKILL.md'), `${skillText('warned')}[more](more.md)\n`);
    await region('warned').getByText('It is loaded in spite of its warnings').waitFor();
    await rm(join(folder, 'warned'), { recursive: true });
    await row('deploy').getByText('SKILLS_DIR').waitFor();
    await page.getByRole('switch', { name: 'Enabled: deploy' }).click({ force: true });
    await page.getByRole('link', { name: 'deploy', exact: true }).click();
    await heading(page, 'deploy').waitFor();
    await page.getByText('A folder in SKILLS_DIR: change its files there').waitFor();
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect((await service.admin('GET', 'skill-packages/deploy')).body['enabled']).toBe(false);
  });

  const editor = (name: string) => page.getByRole('textbox', { name, exact: true });
  const save = () => page.getByRole('button', { name: 'Save', exact: true });
  const preview = () => region('What clients get');
  const triage = (body: string) =>
    `---\nname: triage\ndescription: How we sort bugs.\nmetadata:\n  arguments: "area, since?"\n---\n${body}\n`;
  const filesOf = async (name: string) =>
    ((await service.admin('GET', `skill-packages/${name}`)).body['files'] as { path: string }[]).map(
      ({ path }) => path,
    );
  /** Changes the package as another administrator would. */
  const change = (body: string) =>
    service.admin('PUT', 'skill-packages/triage', {
      files: [{ path: 'SKILL.md', kind: 'text', content: triage(body) }],
    });

  it('writes a package, marks mistakes at their lines, and shows what programs get', async () => {
    await page.goto(`${service.origin}/admin/skill-packages`);
    await page.getByRole('link', { name: 'New package' }).click();
    await heading(page, 'New skill package').waitFor();
    await preview().getByText('/new-skill').waitFor();
    expect(await save().isDisabled()).toBe(true);
    await replaceText(
      editor('SKILL.md'),
      triage('Read [the guide](GUIDE.md).').replace('description:', 'descriptoin:'),
    );
    await page.getByRole('button', { name: 'Line 1:' }).waitFor();
    await page.getByText(/description is missing/).waitFor();
    await preview().getByText('From the last valid text.').waitFor();
    expect(await save().isDisabled()).toBe(true);
    await replaceText(editor('SKILL.md'), triage('Read [the guide](GUIDE.md).'));
    await page.getByRole('button', { name: 'Line 7 (warning):' }).click();
    await page.getByText(/leads to no file of the package/).waitFor();
    // Both the line and its text are marked.
    await page.locator('.cm-lint-marker-warning').waitFor();
    expect(await page.locator('.cm-lintRange-warning').innerText()).toContain('Read');
    await page.getByLabel('Path of a new text file').fill('GUIDE.md');
    await page.getByRole('button', { name: 'Add text file' }).click();
    await replaceText(editor('Text of GUIDE.md'), 'By hand.');
    await page.getByText(/leads to no file of the package/).waitFor({ state: 'detached' });
    await preview().getByLabel('Slash command').getByText('/triage <area> [since]').waitFor();
    await preview().getByLabel('Result of skill_read').getByText('GUIDE.md (8 bytes)').waitFor();
    await preview().getByText('Fits', { exact: true }).waitFor();
    await save().click();
    await page.getByText('triage is saved as version 1.').waitFor();
    await heading(page, 'triage').waitFor();
    expect(await filesOf('triage')).toEqual(['GUIDE.md', 'SKILL.md']);
  });

  it('edits, renames, uploads and removes files, and asks before changes are lost', async () => {
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await heading(page, 'Edit triage').waitFor();
    await page.getByRole('button', { name: 'Edit GUIDE.md' }).click();
    await editor('Text of GUIDE.md').getByText('By hand.').waitFor();
    await replaceText(editor('Text of GUIDE.md'), 'By two hands.');
    await page.getByRole('link', { name: 'triage', exact: true }).click();
    await dialog(page).getByText('Leave without saving?').waitFor();
    await dialog(page).getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Rename GUIDE.md' }).click();
    await page.getByLabel('New path of GUIDE.md').fill('docs/GUIDE.md');
    await page.getByRole('button', { name: 'Rename it' }).click();
    await row('docs/GUIDE.md').waitFor();
    const bytes = Buffer.from([0, 255]);
    await page
      .getByLabel('Upload files', { exact: true })
      .setInputFiles(['a.bin', 'b.bin'].map((name) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })));
    await page.getByRole('button', { name: 'Remove b.bin' }).click();
    await replaceText(editor('SKILL.md'), triage('Read [the guide](docs/GUIDE.md).'));
    await preview().getByLabel('Result of skill_read').getByText('docs/GUIDE.md (13 bytes)').waitFor();
    await save().click();
    await page.getByText('triage is saved as version 2.').waitFor();
    expect(await filesOf('triage')).toEqual(['SKILL.md', 'a.bin', 'docs/GUIDE.md']);
    const shown = await service.admin('GET', 'skill-packages/triage/versions/2/file?path=docs/GUIDE.md');
    expect(shown.body['text']).toBe('By two hands.');
  });

  it('says when somebody else was first, and keeps the draft', async () => {
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await heading(page, 'Edit triage').waitFor();
    await replaceText(editor('SKILL.md'), triage('My text.'));
    await preview().getByLabel('Result of skill_read').getByText('My text.').waitFor();
    await change('The text of another.');
    await save().click();
    const alert = page.getByRole('alert').filter({ hasText: 'Somebody changed this package in the meantime' });
    await alert.getByText('The text of another.').waitFor();
    await editor('SKILL.md').getByText('My text.').waitFor();
    expect(await save().isDisabled()).toBe(true);
    await alert.getByRole('button', { name: 'Overwrite with my version' }).click();
    await save().click();
    await page.getByText('triage is saved as version 4.').waitFor();
    // The other administrator had removed these: the draft keeps them.
    expect(await filesOf('triage')).toEqual(['SKILL.md', 'a.bin', 'docs/GUIDE.md']);
    await page.getByRole('heading', { name: 'Instructions' }).waitFor();
    await page.getByText('My text.').waitFor();
  });

  it('does not edit what comes from a folder, and offers to download it', async () => {
    await page.goto(`${service.origin}/admin/skill-packages/deploy`);
    await heading(page, 'deploy').waitFor();
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
    await page.goto(`${service.origin}/admin/skill-packages/deploy/edit`);
    await page.getByText('This package comes from a folder').waitFor();
    expect(await editor('SKILL.md').count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('deploy.zip');
  });
}

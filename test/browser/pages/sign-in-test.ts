import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { button, heading } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';

export function signInTest(): void {
  let service: TestService;
  let page: Page;

  openAdmin('/admin/connect', (opened) => ({ service, page } = opened), { signsIn: true });

  const begin = async () => {
    await page.goto('/admin/connect');
    await button(page, 'Test the sign-in').click();
    await heading(page, 'Let “Test of the sign-in” act for you?').waitFor();
  };
  const steps = () => page.getByRole('list', { name: 'Test results' }).getByRole('listitem').allInnerTexts();
  const left = async () => {
    const [programs, grants] = await Promise.all([service.admin('GET', 'programs'), service.admin('GET', 'grants')]);
    return [programs.body['items'], grants.body['items']];
  };

  it.each(['any', 'listed'])(
    'goes the whole way where programs may be %s, and leaves nothing behind',
    async (programs) => {
      await service.admin('PUT', 'config/oauth.programs', { value: programs });
      await begin();
      await button(page, 'Allow').click();
      await heading(page, 'Test of the sign-in').waitFor();
      await page.getByText('People can sign in', { exact: true }).waitFor();
      const done = await steps();
      expect(done.filter((step) => !step.startsWith('OK'))).toEqual([]);
      expect(done.filter((step) => step.includes('tools/call'))).toHaveLength(1);
      expect(done.at(-1)).toContain('HTTP 401');
      expect(await left()).toEqual([[], []]);
      expect(await page.evaluate('sessionStorage.length')).toBe(0);

      await page.reload();
      await page.getByText('No test is in progress').waitFor();
    },
  );

  it('says so when the person does not allow it', async () => {
    await begin();
    await button(page, 'Do not allow').click();
    await page.getByText('You did not allow it').first().waitFor();
    await page.getByText('Choose Allow to test the rest.').waitFor();
    expect(await left()).toEqual([[], []]);
  });
}

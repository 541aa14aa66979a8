import type { Page } from 'playwright-core';
import { TokenUsageStore } from '../../../src/features/llm/budget/token-usage.store.js';
import { monthOf } from '../../../src/features/llm/models/tokens.rules.js';
import { SettingsService } from '../../../src/platform/config/settings.service.js';
import { KEY, type TestService } from '../../support/service.js';
import { TestSkillsModule } from '../../support/test-skills.module.js';
import { until } from '../../support/until.js';
import { control, dialog, goTo, heading, logIn, navigation, setting } from '../admin-pages.js';
import { openAdmin, serviceForEach } from '../admin-suite.js';

const TIMEOUT = 'mcp.tool_timeout_ms';
const CHANGED = [TIMEOUT, 'knowledge.embeddings', 'knowledge.embeddings_url', 'llm.monthly_tokens'];

export function configPage(): void {
  let service: TestService;
  let page: Page;

  const statusWith = async (key: string) => {
    const response = await service.postStateless('tools/list', {}, { authorization: `Bearer ${key}` });
    await response.body?.cancel();
    return response.status;
  };
  const changeTimeout = (value: string) => control(page, TIMEOUT).fill(value);
  const save = (key: string) => setting(page, key).getByRole('button', { name: 'Save' }).click();
  const stored = async () => (await service.admin('GET', `config/${TIMEOUT}`)).body;

  describe('of a service with the usual environment', () => {
    openAdmin('/admin/config', (opened) => ({ service, page } = opened), { imports: [TestSkillsModule] });
    beforeEach(async () => {
      for (const key of CHANGED) await service.admin('DELETE', `config/${key}`);
      await page.goto('/admin/config');
      await heading(page, 'Config').waitFor();
    });

    it('says what a setting is now when somebody changed it first', async () => {
      await changeTimeout('60');
      await service.admin('PUT', `config/${TIMEOUT}`, { value: 70_000 });
      await save(TIMEOUT);
      await setting(page, TIMEOUT).getByText('it is 70000 now').waitFor();
      expect(await stored()).toMatchObject({ value: 70_000 });
      expect(await control(page, TIMEOUT).inputValue()).toMatch(/^60\b/);
      await save(TIMEOUT);
      await until(async () => (await stored())['value'] === 60);
    });

    it('changes the time limit of tool calls, effective with the next call', async () => {
      await changeTimeout('60');
      await save(TIMEOUT);
      await until(async () => (await stored())['value'] === 60);
      const call = await service.postStateless('tools/call', { name: 'hang', arguments: {} });
      expect(await call.text()).toContain('did not finish within 60 ms');
      await page.reload();
      expect(await control(page, TIMEOUT).inputValue()).toMatch(/^60\b/);
      await setting(page, TIMEOUT).getByRole('button', { name: 'Reset' }).click();
      await dialog(page).getByText('the default applies: 30,000 ms (30 seconds). Now: 60 ms').waitFor();
      await dialog(page).getByRole('button', { name: 'Reset it' }).click();
      await until(async () => (await stored())['source'] === 'default');
    });

    it('shows the tokens of language models that each client has used, of how many', async () => {
      const tokens = page.getByRole('region', { name: 'Tokens this month' });
      expect(await tokens.count()).toBe(0);
      const store = service.app.get(TokenUsageStore, { strict: false });
      const month = monthOf(new Date());
      await store.reserve({ month, principal: 'ada', tokens: 1_200 }, { own: 0, total: 0 });
      await store.reserve({ month, principal: 'bob', tokens: 40 }, { own: 0, total: 0 });
      await service.admin('PUT', 'config/llm.monthly_tokens', { value: 5_000 });
      await page.reload();
      await tokens.getByText('1,240 by all clients together.').waitFor();
      expect(await tokens.getByRole('row').allInnerTexts()).toEqual([
        expect.stringContaining('Client'),
        expect.stringMatching(/ada\s+1,200 of 5,000 \(24%\)/),
        expect.stringMatching(/bob\s+40 of 5,000 \(0%\)/),
      ]);
    });

    it('takes a credential, uses it and never shows it', async () => {
      const key = 'knowledge.embeddings_key';
      await control(page, key).fill('sk-hidden');
      await save(key);
      await setting(page, key).getByText('set knowledge.embeddings_url first').waitFor();
      await service.admin('PUT', 'config/knowledge.embeddings_url', { value: 'http://127.0.0.1:9/v1' });
      await save(key);
      await setting(page, key).getByText('Set', { exact: true }).waitFor();
      expect(await control(page, key).inputValue()).toBe('');
      expect(await setting(page, key).getByRole('button', { name: 'Generate' }).count()).toBe(0);
      await page.reload();
      await setting(page, key).getByText('Set', { exact: true }).waitFor();
      expect(await page.content()).not.toContain('sk-hidden');
      expect(service.app.get(SettingsService).findCredential(key)).toBe('sk-hidden');
      await service.admin('PUT', 'config/knowledge.embeddings_url', { value: 'http://127.0.0.2:9/v1' });
      await page.reload();
      await setting(page, key).getByText('enter the key again for http://127.0.0.2:9').waitFor();
      await setting(page, key).getByRole('button', { name: 'Reset' }).click();
      await dialog(page).getByRole('button', { name: 'Forget it' }).click();
      await setting(page, key).getByText('Not set', { exact: true }).waitFor();
    });

    it('says what is wrong with a value, and stores nothing', async () => {
      for (const wrong of ['0', '1.5', '45 parsecs', '2 h', '']) {
        await changeTimeout(wrong);
        await setting(page, TIMEOUT)
          .getByText('Enter a whole number of ms from 1 to 3,600,000, or with a unit, such as 45 s.')
          .waitFor();
        expect(await setting(page, TIMEOUT).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
        expect(await control(page, TIMEOUT).inputValue()).toBe(wrong);
      }
      await setting(page, TIMEOUT).getByRole('button', { name: 'Discard' }).click();
      expect(await control(page, TIMEOUT).inputValue()).toBe('30000');
      expect(await stored()).toMatchObject({ value: 30_000, source: 'default' });
    });

    it('takes durations with units, and shows what holds now', async () => {
      await changeTimeout('45 s');
      await setting(page, TIMEOUT).getByText('Now: 30,000 ms (30 seconds) · Entered: 45,000 ms (45 seconds)').waitFor();
      await save(TIMEOUT);
      await until(async () => (await stored())['value'] === 45_000);
      await setting(page, TIMEOUT).getByText('Now: 45,000 ms (45 seconds)').waitFor();
    });

    it('rejects invalid hosts, names them and marks them', async () => {
      const key = 'http.allowed_hosts';
      const entries = setting(page, key).locator('input:not([type=hidden])');
      for (const entry of ['feeds.corp', '10.0.0.0/99', 'http://foo']) {
        await entries.fill(entry);
        await entries.press('Enter');
      }
      await save(key);
      await setting(page, key).getByText('"10.0.0.0/99", "http://foo" cannot be used').waitFor();
      expect(await setting(page, key).locator('[data-wrong]').allInnerTexts()).toEqual(['10.0.0.0/99', 'http://foo']);
      expect((await service.admin('GET', `config/${key}`)).body['value']).toEqual([]);
    });

    it('offers the possible values of a setting, where they are known', async () => {
      const select = setting(page, 'knowledge.embeddings').getByRole('combobox');
      await select.waitFor();
      expect(await select.locator('option').allInnerTexts()).toEqual(['off', 'builtin', 'url']);
      await select.selectOption('off');
      await save('knowledge.embeddings');
      await until(async () => (await service.admin('GET', 'config/knowledge.embeddings')).body['value'] === 'off');
    });

    it('asks before unsaved changes are left behind', async () => {
      await changeTimeout('61');
      await navigation(page).getByRole('link', { name: 'Skills' }).click();
      await dialog(page).getByRole('button', { name: 'Stay' }).click();
      expect(await control(page, TIMEOUT).inputValue()).toMatch(/^61\b/);
      await navigation(page).getByRole('link', { name: 'Skills' }).click();
      await dialog(page).getByRole('button', { name: 'Leave' }).click();
      await heading(page, 'Skills').waitFor();
      await goTo(page, 'Config');
      expect(await stored()).toMatchObject({ value: 30_000 });
    });
  });

  describe('of a service whose environment decides, or leaves out the key', () => {
    const startService = serviceForEach((opened) => ({ service, page } = opened));
    const start = async (env: Record<string, string>) => {
      await startService({ env });
      await logIn(page, '/admin/config');
      await heading(page, 'Config').waitFor();
    };

    it('generates a key that works at once, in place of the old one', async () => {
      await start({ MCP_API_KEY: '' });
      await service.admin('PUT', 'config/mcp.api_key', { value: KEY });
      await page.reload();
      await setting(page, 'mcp.api_key').getByRole('button', { name: 'Generate' }).click();
      await dialog(page).getByRole('button', { name: 'Generate new key' }).click();
      const key = await page.getByTestId('shown-once').innerText();
      expect(key).toMatch(/^ask_[\w-]{43}$/);
      await page.getByRole('button', { name: 'Copy' }).waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByTestId('shown-once').waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(key);
      expect(await statusWith(key)).toBe(200);
      expect(await statusWith(KEY)).toBe(401);
    });

    it('refuses a key that can be guessed, before and after it is sent', async () => {
      await start({ MCP_API_KEY: '' });
      await setting(page, 'mcp.api_key').getByLabel('mcp.api_key', { exact: true }).fill('x');
      await setting(page, 'mcp.api_key').getByText('Enter 16 characters or more').waitFor();
      expect(await setting(page, 'mcp.api_key').getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      expect(await service.admin('PUT', 'config/mcp.api_key', { value: 'x' })).toMatchObject({ status: 400 });
    });

    it('leaves to the environment what it decides', async () => {
      await start({ MCP_TOOL_TIMEOUT_MS: '12345' });
      await setting(page, TIMEOUT).getByText('Set by MCP_TOOL_TIMEOUT_MS').waitFor();
      expect(await control(page, TIMEOUT).isEditable()).toBe(false);
      expect(await setting(page, TIMEOUT).getByRole('button', { name: 'Save' }).count()).toBe(0);
      await setting(page, 'mcp.api_key').getByText('Set by MCP_API_KEY').waitFor();
      expect(await setting(page, 'mcp.api_key').getByRole('button', { name: 'Generate' }).count()).toBe(0);
    });
  });
}

import { memoryDatabase } from '../database/testing.js';
import { SecretStore } from '../secrets/secret.store.js';
import { SecretsService } from '../secrets/secrets.service.js';
import { OwnPages } from './own-page.service.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const HOST = 'agents.corp:5001';
const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

describe('OwnPages', () => {
  let pages: OwnPages;
  let pass: string;
  beforeAll(async () => {
    const database = await memoryDatabase();
    const secrets = new SecretsService(new SecretStore(database));
    const other = new OwnPages(secrets);
    pages = new OwnPages(secrets);
    await other.onModuleInit();
    await pages.onModuleInit();
    pass = other.passFor(HOST, NOW);
  });

  it('recognises a page by the pass that any replica gave it, for ten minutes', () => {
    const headers = { host: HOST, origin: `http://${HOST}`, 'x-own-page': pass };
    expect(pages.isOwnPage(headers, after(9))).toBe(true);
    expect(pages.isOwnPage({ ...headers, origin: `https://${HOST}` }, after(9))).toBe(true);
    expect(pages.isOwnPage(headers, after(11))).toBe(false);
  });

  it.each([
    ['without a pass', { 'x-own-page': undefined }],
    ['of another site', { origin: 'http://evil.example:5001' }],
    ['of a site whose name was pointed here', { origin: 'http://evil.example', host: 'evil.example' }],
    ['of another port', { origin: 'http://agents.corp' }],
    ['without an origin', { origin: undefined }],
    ['with an origin that is none', { origin: 'null' }],
    ['with a pass that was made up', { 'x-own-page': `${after(60).getTime()}.abc` }],
    ['with what is no pass', { 'x-own-page': 'x' }],
  ])('does not recognise a page %s', (_case, change) => {
    const headers = { host: HOST, origin: `http://${HOST}`, 'x-own-page': pass, ...change };
    expect(pages.isOwnPage(headers, NOW)).toBe(false);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import type { TestService } from '../../support/service.js';
import { heading, logInByForm } from '../admin-pages.js';
import { openService } from '../admin-suite.js';

const MOST_BYTES = 250 * 1024;

export function firstPage(): void {
  let service: TestService;
  let page: Page;

  openService((opened) => ({ service, page } = opened));

  it(`needs no more than ${MOST_BYTES / 1024} KB of scripts and styles, compressed`, async () => {
    const paths = new Set<string>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (/\.(?:js|css)$/.test(pathname)) paths.add(pathname);
    });
    await logInByForm(page);
    await heading(page, 'Overview').waitFor();
    const sizes = await Promise.all([...paths].map(async (path) => [path, await compressedSize(path)] as const));
    expect(sizes.length).toBeGreaterThan(1);
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    expect({ sizes, fits: total <= MOST_BYTES }).toEqual({ sizes, fits: true });
  });

  it('comes with the styles of all components that the scripts use', () => {
    const MANTINE = 'libs/admin-ui/node_modules/@mantine/core/styles.css';
    const BUILT = 'libs/admin-ui/dist/assets';
    const classesIn = (text: string) => [...new Set(text.match(/\bm_[\da-f]{6,8}\b/g))];
    const built = (end: string) =>
      readdirSync(BUILT)
        .filter((name) => name.endsWith(end))
        .map((name) => readFileSync(join(BUILT, name), 'utf8'))
        .join('\n');
    const styled = classesIn(readFileSync(MANTINE, 'utf8'));
    const used = classesIn(built('.js')).filter((name) => styled.includes(name));
    expect(used.length).toBeGreaterThan(100);
    const shipped = classesIn(built('.css'));
    expect(used.filter((name) => !shipped.includes(name))).toEqual([]);
  });

  it('says in plain words that a page could not be loaded', async () => {
    const tab = await page.context().newPage();
    await tab.goto('/admin/');
    await heading(tab, 'Overview').waitFor();
    await tab.route(/\/admin\/assets\//, (route) => route.abort());
    await tab.getByRole('link', { name: 'Policies' }).click();
    await tab.getByRole('alert').getByText('This page could not be loaded').waitFor();
    await tab.unroute(/\/admin\/assets\//);
    await tab.getByRole('button', { name: 'Reload' }).click();
    await heading(tab, 'Policies').waitFor();
    await tab.close();
  });

  it('may keep what has a hash in its name', async () => {
    const index = await fetch(new URL('/admin/', service.origin));
    expect(index.headers.get('cache-control')).toBe('no-cache');
    const [script = ''] = /\/admin\/assets\/[\w.-]+\.js/.exec(await index.text()) ?? [];
    const asset = await fetch(new URL(script, service.origin));
    expect(asset.headers.get('cache-control')).toContain('immutable');
    await asset.body?.cancel();
  });

  const compressedSize = async (path: string) => {
    const response = await fetch(new URL(path, service.origin), { headers: { 'accept-encoding': 'identity' } });
    return gzipSync(Buffer.from(await response.arrayBuffer()), { level: 6 }).byteLength;
  };
}

import type { Page } from 'playwright-core';
import { button, follow, heading } from '../admin-pages.js';
import { openAdmin } from '../admin-suite.js';
import { settled } from '../browser.js';

/** A window of 1280 × 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 };

const IS_TOO_WIDE = 'document.documentElement.scrollWidth > window.innerWidth';

/** Spaces the text as far as it must be possible (WCAG 2.2, success criterion 1.4.12). */
const SPACE_OUT = `{
  const style = document.createElement('style');
  style.textContent = \`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
    p { margin-block-end: 2em !important; }
  \`;
  document.head.append(style);
}`;

/** Whether the focused element is hidden under something else. */
const IS_COVERED = `(() => {
  const element = document.activeElement;
  const { left, top, width } = element.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, Math.max(top, 0) + 2);
  return !element.contains(above) && !above?.contains(element);
})()`;

export function zoomedPages(): void {
  let page: Page;

  openAdmin('/admin/', (opened) => ({ page } = opened));

  afterEach(async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it.each([
    ['skill-modules', 'Skill modules'],
    ['programs', 'Programs'],
  ])('at 400 %%, %s scrolls in one direction only', async (path, title) => {
    await page.setViewportSize(ZOOMED);
    await follow(page, `/admin/${path}`);
    await heading(page, title).waitFor();
    await settled(page);
    expect(await page.evaluate<boolean>(IS_TOO_WIDE)).toBe(false);
  });

  it('with more space between the letters, Config scrolls in one direction only, and the header is whole', async () => {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto('/admin/config');
    await heading(page, 'Config').waitFor();
    await settled(page);
    await page.evaluate(SPACE_OUT);
    expect(await page.evaluate<boolean>(IS_TOO_WIDE)).toBe(false);
    const { x, width } = (await button(page, 'Log out').boundingBox()) ?? { x: 0, width: Infinity };
    expect(x + width).toBeLessThanOrEqual(320);
  });

  it('what gets the focus is not hidden under the header', async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    await follow(page, '/admin/config');
    await heading(page, 'Config').waitFor();
    await settled(page);
    await page.getByRole('textbox').last().focus();
    const covered: string[] = [];
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Shift+Tab');
      if (await page.evaluate<boolean>(IS_COVERED))
        covered.push(await page.evaluate<string>('document.activeElement.outerHTML'));
    }
    expect(covered).toEqual([]);
  });

  it('in the colors of the system, one sees what is on, and which page is open', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await follow(page, '/admin/policies');
    await page.getByRole('switch').first().waitFor();
    const backgroundOf = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`);
    expect(await backgroundOf('[role=switch]:checked + *')).not.toBe(await backgroundOf('body'));
    expect(await backgroundOf('nav [aria-current]')).not.toBe(await backgroundOf('nav a:not([aria-current])'));
  });
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const MANUAL = 'docs/screenshots';
/** The screenshots in the manual, by their file names there. */
const FOR_THE_MANUAL: Record<string, string> = {
  'overview-desktop-light': 'overview',
  'connect-desktop-light': 'connect',
  'skill-result-desktop-light': 'skill-result',
  'edited-workflow-desktop-light': 'workflow-editor',
  'run-desktop-dark': 'run-dark',
  'knowledge-desktop-light': 'knowledge',
  'memory-desktop-dark': 'memory-dark',
  'feeds-desktop-light': 'feeds',
  'one-policy-desktop-light': 'policy',
  'one-client-desktop-dark': 'client-dark',
  'audit-desktop-light': 'audit',
};

/**
 * Screenshots of the pages: all of them in the folder SCREENSHOTS_DIR, or those of the manual in its folder. Without
 * SCREENSHOTS_DIR, none.
 */
export class Screenshots {
  private constructor(private readonly folder: string | undefined) {}

  static async create(): Promise<Screenshots> {
    const folder = process.env['SCREENSHOTS_DIR'];
    if (folder) await mkdir(folder, { recursive: true });
    return new Screenshots(folder);
  }

  async take(page: Page, name: string, device: string, colors: 'light' | 'dark'): Promise<void> {
    const full = `${name.toLowerCase().replaceAll(' ', '-')}-${device}-${colors}`;
    const file = this.folder === MANUAL ? FOR_THE_MANUAL[full] : full;
    if (!this.folder || !file) return;
    await page.screenshot({
      path: join(this.folder, `${file}.png`),
      animations: 'disabled',
      caret: 'hide',
      scale: 'css',
    });
  }
}

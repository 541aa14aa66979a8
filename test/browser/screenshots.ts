import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Pictures of the pages: in a temporary folder, or in the folder that SCREENSHOTS_DIR names. */
export class Screenshots {
  private constructor(
    private readonly folder: string,
    private readonly scheme: string,
  ) {}

  static async create(scheme: string): Promise<Screenshots> {
    const folder = process.env['SCREENSHOTS_DIR'] ?? join(tmpdir(), 'agent-service-screenshots');
    await mkdir(folder, { recursive: true });
    return new Screenshots(folder, scheme);
  }

  async take(page: Page, name: string, device: string): Promise<void> {
    const file = `${name.toLowerCase().replaceAll(' ', '-')}-${device}-${this.scheme}.png`;
    await page.screenshot({ path: join(this.folder, file), animations: 'disabled', caret: 'hide', scale: 'css' });
  }
}

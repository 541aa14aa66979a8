import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestService } from './service.js';

/** Starts one service with an empty SKILLS_DIR for all tests of a suite. */
export function skillsServiceForSuite(take: (service: TestService, folder: string) => void): void {
  let [service, folder]: [TestService | null, string] = [null, ''];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skills-'));
    service = await TestService.start({ env: { SKILLS_DIR: folder } });
    take(service, folder);
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });
}

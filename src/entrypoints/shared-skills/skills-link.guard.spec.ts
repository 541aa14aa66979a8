import type { ExecutionContext } from '@nestjs/common';
import { settingsOn } from '../../platform/config/testing.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { TooManyDownloads } from './shared-skills.errors.js';
import { SkillsLinkGuard, WrongLinks } from './skills-link.guard.js';

const SECRET = 'a-secret-of-the-team';

const requestFrom = (ip: string) =>
  ({ switchToHttp: () => ({ getRequest: () => ({ ip, params: { secret: SECRET } }) }) }) as ExecutionContext;

describe('the link to the skills', () => {
  it('lets an address ask 3,000 times in a minute, and others meanwhile', async () => {
    const database = await memoryDatabase();
    const settings = await settingsOn({ database });
    await settings.set('packages.share_secret', SECRET);
    const attempts = new RateLimitStore(database);
    const guard = new SkillsLinkGuard(settings, new WrongLinks(attempts), attempts);
    for (let count = 0; count < 3_000; count += 1) await guard.canActivate(requestFrom('192.0.2.7'));
    await expect(guard.canActivate(requestFrom('192.0.2.7'))).rejects.toThrow(TooManyDownloads);
    expect(await guard.canActivate(requestFrom('192.0.2.8'))).toBe(true);
  });
});

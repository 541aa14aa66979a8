import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ModuleHost } from './module-host.service.js';

describe('the log of modules', () => {
  it('has what they print, without what looks like a secret', async () => {
    const lines: unknown[] = [];
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation((...line: unknown[]) => void lines.push(line));
    const host = new ModuleHost();
    const code = `
      console.log('asks with Bearer abcdefgh12345678 at https://ann:word@example.com/?token=abc');
      export default { name: 's', async execute() {} };`;
    await host.open({ key: 'greeter 1', file: 'm.ts', files: { 'm.ts': code }, hasTypes: true });
    await host.beforeApplicationShutdown();
    log.mockRestore();
    expect(lines).toEqual([
      [{ module: 'greeter' }, 'asks with Bearer [redacted] at https://[redacted]@example.com/?token=[redacted]'],
    ]);
  });
});

import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startupProblemOf } from './startup-problem.js';

describe('the problem of a start', () => {
  it('names the address that is in use, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const [error] = (await once(createServer().listen(port, '127.0.0.1'), 'error')) as unknown[];
    other.close();
    expect(startupProblemOf(error)).toBe(
      `Agent Service cannot start: 127.0.0.1:${port} is in use. Stop the other process, or set PORT to another port`,
    );
  });

  // ENOTFOUND: no such name. EAI_AGAIN: no DNS server is reachable.
  it.each(['ENOTFOUND', 'EAI_AGAIN'])('names the host that has no address: %s', (code) => {
    const error = Object.assign(new Error(`getaddrinfo ${code}`), { code, syscall: 'getaddrinfo', hostname: 'agents' });
    expect(startupProblemOf(error)).toBe(
      'Agent Service cannot start: HOST agents is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0',
    );
  });

  it('names an address that is of another machine', async () => {
    const [error] = (await once(createServer().listen(0, '192.0.2.1'), 'error')) as unknown[];
    expect(startupProblemOf(error)).toContain('HOST 192.0.2.1 is not an address of this machine');
  });
});

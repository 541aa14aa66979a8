import { OAuthProgram } from '../test/support/oauth-program.js';
import { Access, ACCESS_ENV } from './access.js';
import { withServer } from './bench-server.js';
import type { LoadGenerator } from './load/load-generator.js';
import { type Effort, settledCpu } from './measure-calls.js';
import { median } from './median.js';
import { SERVICE } from './subjects.js';

/** The cost of a call with a key, and with the access token of a person. */
export interface SignInCost {
  keyMicros: number;
  tokenMicros: number;
}

const PERSON = { name: 'ada', role: 'member', password: 'a-long-password-of-ada' };

/** Both call `/mcp`, in turn. */
export function measureSignIn(load: LoadGenerator, effort: Effort): Promise<SignInCost> {
  const subject = { ...SERVICE.modern10, env: { ...ACCESS_ENV, OAUTH_ENABLED: 'on', OAUTH_ON_MCP_PATH: 'on' } };
  return withServer({ ...subject, isPublic: true }, async (server, target) => {
    const origin = `http://127.0.0.1:${target.port}`;
    await new Access(target).account(PERSON);
    const { access } = await new OAuthProgram(origin).signIn(PERSON.name, PERSON.password, {
      resource: `${origin}/mcp`,
    });
    const costOf = async (key: string) => {
      const client = { ...target, key };
      await load.do('connect', { target: client, connections: effort.connections, clients: [client], tool: 'tool_0' });
      return settledCpu(server, load, effort);
    };
    const [keys, tokens]: [number[], number[]] = [[], []];
    for (let round = 0; round < effort.rounds; round += 1) {
      keys.push(await costOf(target.key));
      tokens.push(await costOf(access));
    }
    return { keyMicros: median(keys), tokenMicros: median(tokens) };
  });
}

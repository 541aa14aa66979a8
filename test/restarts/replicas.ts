import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';

const ADMIN_PASSWORD = 'replicas-password';

/** Service processes that share a database. */
export class Replicas {
  private readonly servers: ServerProcess[] = [];
  private isEnabled = true;

  private constructor(
    private readonly ports: readonly number[],
    private readonly env: Record<string, string>,
  ) {}

  static async start(count: number, env: Record<string, string>): Promise<Replicas> {
    const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
    const replicas = new Replicas(ports, env);
    for (const port of ports) replicas.servers.push(await replicas.startOn(port));
    return replicas;
  }

  get hosts(): string[] {
    return this.ports.map((port) => `127.0.0.1:${port}`);
  }

  /** Stops or kills one replica, and starts it again. */
  async restart(number: number, how: 'stop' | 'kill'): Promise<void> {
    await this.servers[number]?.[how]();
    this.servers[number] = await this.startOn(this.ports[number] ?? 0);
  }

  /** Changes the set of tools through the first replica. */
  async change(): Promise<void> {
    this.isEnabled = !this.isEnabled;
    const answer = await fetch(`http://${this.hosts[0]}/admin/api/skills/memory_remove`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ enabled: this.isEnabled }),
    });
    if (!answer.ok) throw new Error(`the skill was not changed: ${answer.status} ${await answer.text()}`);
  }

  async stop(): Promise<void> {
    for (const server of this.servers) await server.stop();
  }

  private startOn(port: number): Promise<ServerProcess> {
    return ServerProcess.start({ env: { ...this.env, PORT: String(port), ADMIN_PASSWORD, LOG_LEVEL: 'warn' } });
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { accepts, freePort } from './free-port.js';

/** nginx in front of the service, configured like deploy/nginx.conf. */
export class NginxProxy {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param upstreams host and port of each replica of the service */
  static async start(nginx: string, ...upstreams: string[]): Promise<NginxProxy> {
    const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'nginx-'))];
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};\n`,
    );
    const configuration = readFileSync('deploy/nginx.conf', 'utf8')
      .replace('listen 8080', `listen 127.0.0.1:${port}`)
      .replace(/server 127\.0\.0\.1:5001(.*);/, (_, options: string) =>
        upstreams.map((upstream) => `server ${upstream}${options};`).join('\n'),
      )
      .replace('events {}', 'events {}\nuser root;')
      .replace('http {', `http {\n${temporary.join('')}access_log off;`);
    writeFileSync(join(folder, 'nginx.conf'), `pid ${folder}/nginx.pid;\n${configuration}`);
    const child = spawn(nginx, [
      ...['-c', join(folder, 'nginx.conf')],
      ...['-e', join(folder, 'error.log')],
      ...['-g', 'daemon off;'],
    ]);
    await until(() => accepts(port));
    return new NginxProxy(port, child, folder);
  }

  /** Returns the upstream (host and port) of each call that was sent and got no response. Refused connections are not counted. */
  failedCalls(): (string | undefined)[] {
    return readFileSync(join(this.folder, 'error.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('request: "POST /mcp') && !line.includes('connect() failed (111'))
      .map((line) => /upstream: "http:\/\/([^/]+)/.exec(line)?.[1]);
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill();
    await exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

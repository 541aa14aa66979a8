import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { parseAllDocuments } from 'yaml';
import { DEFAULT_PORT } from '../src/platform/environment/address.rules.js';
import { parseEnvironment } from '../src/platform/environment/environment.js';
import { TestService } from './support/service.js';

interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  env: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  livenessProbe: Probe;
  readinessProbe: Probe;
  lifecycle: { preStop: { sleep: { seconds: number } } };
  volumeMounts: { mountPath: string }[];
}
interface Deployment {
  spec: {
    template: {
      spec: {
        automountServiceAccountToken: boolean;
        terminationGracePeriodSeconds: number;
        containers: [Container];
      };
    };
  };
}

/** How long the service takes to stop, at most, in seconds. */
const STOPS_WITHIN_S = 10;
const MANIFEST = readFileSync('deploy/kubernetes.yaml', 'utf8');
const [deployment, service] = parseAllDocuments(MANIFEST).map((document) => document.toJS() as unknown) as [
  Deployment,
  { spec: { ports: [{ targetPort: string }] } },
];
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));

describe('deploy/kubernetes.yaml', () => {
  it('sets variables that the service knows', () => {
    const inSecret = [...MANIFEST.matchAll(/--from-literal=(\w+)/g)].map(([, name = '']) => name);
    const known = new Set(Object.keys(parseEnvironment({})));
    const unknown = [...Object.keys(env), ...inSecret].filter((name) => !known.has(name) && name !== 'MCP_API_KEY');
    expect(inSecret).toContain('DATABASE_URL');
    expect(unknown).toEqual([]);
    expect(parseEnvironment(env).PUBLIC_URL).toBe(env['PUBLIC_URL']);
  });

  it('gives the service no access to the cluster', () => {
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  it('sends requests to the port of the image', () => {
    const [port] = container.ports;
    expect(port).toEqual({ name: 'http', containerPort: DEFAULT_PORT });
    const named = [container.livenessProbe.httpGet.port, container.readinessProbe.httpGet.port];
    expect([...named, service.spec.ports[0].targetPort]).toEqual(['http', 'http', 'http']);
    expect(readFileSync('Dockerfile', 'utf8')).toContain(`EXPOSE ${DEFAULT_PORT}`);
  });

  it('lets the image write where it keeps its data, and lets it finish', () => {
    const folder = /DATA_DIR=(\S+)/.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([folder, '/tmp']);
    const { seconds } = container.lifecycle.preStop.sleep;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(seconds + STOPS_WITHIN_S);
  });

  describe('with its variables', () => {
    let running: TestService;
    TestService.forSuite((started) => void (running = started), { env });

    it.each(['livenessProbe', 'readinessProbe'] as const)(
      'answers the %s, which names the address of the pod as its host',
      async (name) => {
        const { path } = container[name].httpGet;
        const sent = request(new URL(path, running.origin), { headers: { host: '10.1.2.3:5001' } }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        expect(response.statusCode).toBe(200);
      },
    );
  });
});

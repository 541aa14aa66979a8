import type { TestService } from './service.js';

/** A client: its key, and the headers that send it. */
export interface TestClient {
  name: string;
  key: string;
  headers: { authorization: string };
}

const withHeaders = (name: string, key: string): TestClient => ({
  name,
  key,
  headers: { authorization: `Bearer ${key}` },
});

/** Creates a client through the admin API. */
export async function createClient(service: TestService, name: string, details: object = {}): Promise<TestClient> {
  const { status, body } = await service.admin('POST', 'clients', { name, ...details });
  if (status !== 201) throw new Error(`the client ${name} was not made: ${JSON.stringify(body)}`);
  return withHeaders(name, String(body['key']));
}

export async function rotateKey(service: TestService, name: string, overlapHours: number): Promise<TestClient> {
  const { status, body } = await service.admin('POST', `clients/${name}/keys`, { overlapHours });
  if (status !== 201) throw new Error(`the key of ${name} was not rotated: ${JSON.stringify(body)}`);
  return withHeaders(name, String(body['key']));
}

/** Returns the ids of a client's keys, oldest first. */
export async function keyIdsOf(service: TestService, name: string): Promise<string[]> {
  const { body } = await service.admin('GET', `clients/${name}`);
  return (body['keys'] as { id: string }[]).map(({ id }) => id);
}

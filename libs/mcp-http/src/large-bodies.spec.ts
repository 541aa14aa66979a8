import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { parsedBody } from './body-json.js';
import { LargeBodies } from './large-bodies.js';
import { Connection } from './received.testing.js';
import { RequestBodies } from './request-body.js';
import { ROOMY_LIMITS } from './testing.js';

const LIMITS = { maxJsonDepth: 64, maxJsonValues: 50_000 };
const LARGE = 262_144;
const FILLING = JSON.stringify('x'.repeat(LARGE));

/** The bytes in chunks with separate buffers, as received from a connection. */
function chunksOf(text: string): Buffer[] {
  const bytes = new TextEncoder().encode(text);
  return Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
    Buffer.from(bytes.slice(index * 65_536, (index + 1) * 65_536).buffer),
  );
}
const sizeOf = (chunks: readonly Buffer[]) => chunks.reduce((size, { byteLength }) => size + byteLength, 0);

describe('large bodies', () => {
  const bodies = new LargeBodies();
  afterAll(() => bodies.close());

  const parse = (chunks: Buffer[]) => bodies.parse(chunks, sizeOf(chunks), LIMITS);

  it.each([
    ['a text', FILLING],
    ['members called __proto__ and constructor', `{"__proto__":{"a":1},"constructor":${FILLING}}`],
    ['numbers of all kinds', `[-0,1e400,-1e400,1e-400,0.1,9007199254740993,${FILLING}]`],
    ['a character between two chunks', `["${'x'.repeat(65_533)}€",${FILLING}]`],
    ['characters that databases refuse', `["\\u0000","\\ud800",${FILLING}]`],
    ['as many values as allowed', `[${Array.from({ length: 49_998 }, () => '"abcdef"').join()}]`],
    ['too many values', `[${Array.from({ length: 50_001 }, () => '"abcdef"').join()}]`],
    ['too many levels', `${'['.repeat(65)}${FILLING}${']'.repeat(65)}`],
    ['half of a JSON', FILLING.slice(0, -1)],
  ])('are parsed in a thread as elsewhere: %s', async (_title, text) => {
    const expected = parsedBody(chunksOf(text), LIMITS);
    const chunks = chunksOf(text);
    expect(await parse(chunks)).toEqual(expected);
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual(chunks.map(() => 0)); // transferred, not copied
  });

  it('do not transfer memory that others use', async () => {
    const [all] = chunksOf(FILLING.slice(0, 65_536));
    const rest = Buffer.from(FILLING.slice(65_536));
    const shared = Buffer.from(new Uint8Array([...(all ?? []), 1, 2, 3]).buffer, 0, 65_536);
    expect(await bodies.parse([shared, rest], sizeOf([shared, rest]), LIMITS)).toMatchObject({ bytes: FILLING.length });
    expect(shared.byteLength).toBe(65_536);
  });

  it('are only those from a quarter of a megabyte on', () => {
    expect(parse(chunksOf(`"${'x'.repeat(LARGE - 3)}"`))).toMatchObject({ bytes: LARGE - 1 });
    expect(parse(chunksOf(`"${'x'.repeat(LARGE - 2)}"`))).toBeInstanceOf(Promise);
  });

  it('are parsed in a new thread when one has died, which costs only the body that it had', async () => {
    const deadly = { byteLength: LARGE, buffer: { byteLength: LARGE + 1 } } as never; // has no bytes
    await expect(bodies.parse([deadly], LARGE, LIMITS)).rejects.toThrow();
    expect(await parse(chunksOf(FILLING))).toMatchObject({ bytes: FILLING.length });
  });

  it('have no room when their thread has ended', async () => {
    const ended = new LargeBodies();
    await ended.close();
    const req = new IncomingMessage(new Socket());
    const body = new RequestBodies(
      () => ({ ...ROOMY_LIMITS, maxBodyBytes: 2 * LARGE, maxIncomingBytes: 2 * LARGE }),
      ended,
    ).read(req, new Connection().res);
    for (const chunk of chunksOf(FILLING)) req.push(chunk);
    req.push(null);
    expect(await body).toEqual({ problem: 'no_room' });
  });
});

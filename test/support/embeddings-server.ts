import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { Random } from '../fuzz/random.js';
import { listenOnLoopback, stopServer } from './loopback.js';

const DIMENSIONS = 256;

/** The words on one line are synonyms. */
const SYNONYMS = [
  ['car', 'cars', 'automobile', 'vehicle', 'voiture'],
  ['holiday', 'holidays', 'vacation', 'leave'],
  ['invoice', 'invoices', 'bill', 'billing'],
];

interface Refusal {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

/**
 * A server of the OpenAI embeddings API on loopback. Its model knows a few synonyms: each group of synonyms is one dimension,
 * and the vector of a text is the sum of the vectors of its words.
 */
export class EmbeddingsServer {
  /** The texts of each request that was answered with embeddings. */
  readonly embedded: string[][] = [];
  readonly authorizations: (string | undefined)[] = [];
  /** Like a real model, it rejects longer texts; in characters. */
  longest = Infinity;
  /** A different number simulates another model under the same name. */
  dimensions = DIMENSIONS;
  /** The vectors of texts with this word have no numbers: where a model overflows, some servers send null for NaN. */
  overflowsAt: string | null = null;
  /** Runs before the response to the next request is sent. */
  meanwhile: (() => Promise<unknown>) | null = null;
  /** How requests are rejected from now on; null = not rejected. */
  refusal: Refusal | null = null;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<EmbeddingsServer> {
    const server = createServer();
    const embeddings = new EmbeddingsServer(server, `${await listenOnLoopback(server)}/v1`);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void embeddings.answer(request, response);
    });
    return embeddings;
  }

  /** Starts one for each test of a suite, in which the service logs nothing. */
  static forEachTest(take: (server: EmbeddingsServer) => unknown): void {
    let server: EmbeddingsServer;
    beforeAll(() => void Logger.overrideLogger(false));
    beforeEach(async () => take((server = await EmbeddingsServer.start())));
    afterEach(() => server.stop());
  }

  /** All texts that were embedded, in whatever batches. */
  get texts(): string[] {
    return this.embedded.flat();
  }

  stop(): Promise<void> {
    return stopServer(this.server);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.authorizations.push(request.headers.authorization);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { model: string; input: string[] };
    const { meanwhile } = this;
    this.meanwhile = null;
    await meanwhile?.();
    const refusal = this.refusal ?? this.refusalOf(request, body);
    if (refusal) {
      const text = refusal.body ?? JSON.stringify({ error: { message: `refused with ${refusal.status}` } });
      response.writeHead(refusal.status, refusal.headers).end(text);
      return;
    }
    this.embedded.push(body.input);
    const data = body.input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(text, body.model, this.dimensions).map((value) => (this.overflows(text) ? null : value)),
    }));
    // In arbitrary order: clients must use the index.
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', model: body.model, data: data.reverse() }));
  }

  private overflows(text: string): boolean {
    return this.overflowsAt !== null && text.includes(this.overflowsAt);
  }

  private refusalOf({ method, url }: IncomingMessage, { input }: { input: string[] }): Refusal | null {
    if (method !== 'POST' || url !== '/v1/embeddings') return { status: 404 };
    const tooLong = input.some((text) => text.length > this.longest);
    return tooLong ? { status: 400, body: '{"error":{"message":"the input is too long"}}' } : null;
  }
}

export function vectorOf(text: string, model: string, dimensions = DIMENSIONS): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = SYNONYMS.find((words) => words.includes(word))?.[0] ?? word;
    const random = new Random(seedOf(`${model} ${meaning}`));
    for (let dimension = 0; dimension < dimensions; dimension += 1) {
      vector[dimension] = (vector[dimension] ?? 0) + random.next() - 0.5;
    }
  }
  return vector;
}

const seedOf = (text: string): number => [...text].reduce((seed, letter) => (seed * 31 + letter.charCodeAt(0)) | 0, 7);

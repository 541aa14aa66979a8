import { Random } from '../fuzz/random.js';
import type { AdminDoor } from './admin-door.js';
import { type Answer, complaintsAbout } from './complaints.js';
import { type Inventory, type Operation, validRequest } from './operations.js';
import { type WrittenRequest, writtenRequest } from './written-request.js';

const CONCURRENCY = 8;
const VALID_SHARE = 0.25;
const MOST_IDS = 200;
/** Called rarely: its size grows with everything that was saved. */
const SELDOM = /\/export$/;

/** The number of requests, by response status. */
export type Tally = Map<number, number>;

interface Fuzz {
  door: AdminDoor;
  operations: readonly Operation[];
  inventory: Inventory;
  seed: number;
}

/** Sends the requests from one index to another. Returns complaints, one line each. */
export async function fuzzAdmin(fuzz: Fuzz, from: number, to: number, tally: Tally): Promise<string[]> {
  const complaints: string[] = [];
  let next = from;
  const worker = async () => {
    while (next < to) complaints.push(...(await tryOne(fuzz, next++, tally)));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return complaints;
}

async function tryOne({ door, operations, inventory, seed }: Fuzz, index: number, tally: Tally): Promise<string[]> {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ index);
  const operation = operations[random.integer(0, operations.length)];
  if (!operation || (SELDOM.test(operation.path) && random.chance(0.9))) return [];
  const isValid = random.chance(VALID_SHARE);
  const request = writtenRequest(random, validRequest(random, operation, inventory), isValid);
  try {
    const answer = await door.send(request);
    tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1);
    remember(inventory, request, answer, random);
    return complaintsAbout(request, isValid, answer).map((complaint) => `request ${index}: ${complaint}`);
  } catch (error) {
    return isRefusedByNode(error) ? [] : [`request ${index}: ${request.method} ${request.url}: ${String(error)}`];
  }
}

function remember({ ids }: Inventory, { method }: WrittenRequest, { status, text }: Answer, random: Random): void {
  if (method !== 'POST' || status !== 201) return;
  const { id } = JSON.parse(text) as { id?: string };
  if (id !== undefined) ids[ids.length < MOST_IDS ? ids.length : random.integer(0, MOST_IDS)] = id;
}

/** Node's HTTP client and server close a connection on invalid HTTP. */
function isRefusedByNode(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ECONNRESET', 'EPIPE', 'ERR_INVALID_CHAR'].includes(String(error.code))
  );
}

import { complaintsAbout } from './complaints.js';
import { exchange } from './exchange.js';
import { malformedBodies } from './malformed-bodies.js';
import { malformedHttp } from './malformed-http.js';
import { mutatedMessages } from './mutated-messages.js';
import { Random } from './random.js';
import type { MalformedRequest, Surroundings } from './request-parts.js';

const MALFORMS = [...malformedBodies, ...malformedHttp];
/** The share of requests that are valid messages with a mutation. */
const MUTATED = 0.6;
const CONCURRENCY = 32;

/** A request depends only on the seed and its index, so that it can be sent again. */
export function malformedRequest(seed: number, index: number, around: Surroundings): MalformedRequest {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ index);
  const choices = random.chance(MUTATED) ? mutatedMessages : MALFORMS;
  const malform = choices[random.integer(0, choices.length)];
  if (!malform) throw new Error('there is nothing to choose from');
  return malform(random, around);
}

/** Sends the malformed requests from one index to another. Returns complaints, one line each. */
export async function fuzz(seed: number, from: number, to: number, around: Surroundings): Promise<string[]> {
  const complaints: string[] = [];
  let next = from;
  const worker = async () => {
    while (next < to) {
      const index = next++;
      const request = malformedRequest(seed, index, around);
      const found = complaintsAbout(request, await exchange(around.port, request));
      complaints.push(
        ...found.map((complaint) => `request ${index}, ${request.kind}: ${complaint}: ${request.bytes.slice(-400)}`),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return complaints;
}

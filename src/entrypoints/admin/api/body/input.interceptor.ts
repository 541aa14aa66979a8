import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  BadRequestException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { finalize, type Observable } from 'rxjs';
import { isStorable, mayHoldUnstorable, parseBoundedJson, placeOfUnstorable, valueCountOf } from '#bounded-json';
import { BodyBudget, type BodyShare } from './body-budget.service.js';
import {
  BodyNotJson,
  InvalidText,
  BodyTooLarge,
  EncodedBody,
  InvalidJson,
  JsonTooDeep,
  TooManyValues,
} from './body.errors.js';

const MAX_BYTES = Symbol('MAX_BYTES');
const DEFAULT_MAX_BYTES = 1024 * 1024;

/** Sets the maximum size of the body of a route, in bytes; the default is 1 MB. */
export const MaxBody = (bytes: number) => SetMetadata(MAX_BYTES, bytes);

export const DOCUMENTS_MAX_BYTES = 16 * 1024 * 1024;

/** Reads and checks the input of a request. Nest runs interceptors after guards, so the body of a refused request is not read. */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly budget: BodyBudget,
  ) {}

  /** @throws InvalidText, and the errors of readBody */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    assertStorable('the path', Object.values(request.params));
    assertStorable('the query', Object.entries(request.query).flat());
    const maxBytes = this.reflector.get<number | undefined>(MAX_BYTES, context.getHandler()) ?? DEFAULT_MAX_BYTES;
    const share = this.budget.open();
    try {
      request.body = await readBody(request, maxBytes, share);
    } catch (error) {
      share.release();
      throw error;
    }
    return next.handle().pipe(finalize(() => share.release()));
  }
}

function assertStorable(where: string, values: unknown[]): void {
  const texts = values.flat().filter((value) => typeof value === 'string');
  if (!texts.every(isStorable)) throw new InvalidText(where);
}

const MAX_DEPTH = 64;
const MAX_VALUES = 100_000;

const JSON_TYPE = /^application\/json *(?:;|$)/i;
const OTHER_CHARSET = /; *charset *= *(?!"?utf-?8"?)/i;

/**
 * Returns the JSON object in the body of a request, with strings that both databases can store; undefined when there is no body.
 * @throws InvalidText, BodyTooLarge, BodyNotJson, EncodedBody, InvalidJson, JsonTooDeep, TooManyValues, TooManyBodies
 */
async function readBody(request: Request, maxBytes: number, share: BodyShare): Promise<unknown> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!hasBody(request)) return undefined;
  if (encoding.toLowerCase() !== 'identity' || OTHER_CHARSET.test(type)) throw new EncodedBody();
  const bytes = await readBytes(request, maxBytes, share);
  if (bytes.length === 0) return undefined;
  if (!JSON_TYPE.test(type)) throw new BodyNotJson();
  return parseBody(bytes);
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function parseBody(bytes: Buffer): unknown {
  if (valueCountOf(bytes, MAX_VALUES) > MAX_VALUES) throw new TooManyValues(MAX_VALUES);
  const parsed = parseBoundedJson(bytes, MAX_DEPTH);
  if ('problem' in parsed) throw parsed.problem === 'too_deep' ? new JsonTooDeep(MAX_DEPTH) : new InvalidJson();
  if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) throw new InvalidJson();
  const place = mayHoldUnstorable(bytes) ? placeOfUnstorable(parsed.value, 'the body') : null;
  if (place !== null) throw new InvalidText(place);
  return parsed.value;
}

/** Lets Node read and drop the rest of a refused body, so that the client gets the answer. */
function readBytes(request: Request, maxBytes: number, share: BodyShare): Promise<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes) throw new BodyTooLarge(maxBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void) => {
      request.off('data', take).off('end', finish).off('close', abort).off('error', abort);
      outcome();
    };
    const take = (chunk: Buffer) => {
      try {
        size += chunk.length;
        if (size > maxBytes) throw new BodyTooLarge(maxBytes);
        share.take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        settle(() => reject(error instanceof Error ? error : new Error(String(error))));
      }
    };
    const finish = () => settle(() => resolve(Buffer.concat(chunks)));
    // The client is gone, so there is nobody to answer.
    const abort = () => settle(() => reject(new BadRequestException('the body was cut off')));
    if (request.destroyed) return abort();
    request.on('data', take).on('end', finish).on('close', abort).on('error', abort);
  });
}

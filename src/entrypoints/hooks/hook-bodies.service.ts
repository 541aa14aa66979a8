import { isUtf8 } from 'node:buffer';
import {
  BadRequestException,
  Injectable,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { Request } from 'express';
import { TooManyMessages } from './hooks.errors.js';

const MAX_BYTES = 256 * 1024;
/** Limit for the bodies that are being read at the same time, in bytes. */
const MAX_BYTES_TOGETHER = 16 * 1024 * 1024;
/** Limit per address: a signature can only be checked once the body is read, and some senders never finish it. */
const MAX_BYTES_OF_ADDRESS = 2 * 1024 * 1024;
const JSON_TYPE = /^application\/(?:[\w.-]{1,100}\+)?json *(?:;|$)/i;
const OTHER_CHARSET = /; *charset *= *(?!"?utf-?8"?)/i;

/** Reads the bodies of messages, within the limits of each and of all together. */
@Injectable()
export class HookBodies {
  private held = 0;
  private readonly heldOf = new Map<string, number>(); // by address of current senders

  /**
   * Returns the raw bytes of a body, which the signature covers.
   * @throws UnsupportedMediaTypeException, PayloadTooLargeException, BadRequestException, TooManyMessages
   */
  async read(request: Request): Promise<Buffer> {
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
    if (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type) || encoding.toLowerCase() !== 'identity') {
      throw unsupported();
    }
    if (Number(request.headers['content-length']) > MAX_BYTES) throw tooLarge();
    const body = await this.collect(request);
    // The signature of such a body, checked as text, would look wrong.
    if (!isUtf8(body)) throw unsupported();
    return body;
  }

  private async collect(request: Request): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const address = request.ip ?? '';
    let size = 0;
    try {
      // The connection must outlive a refusal, so that the sender gets the answer.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        chunks.push(chunk);
        const heldOfAddress = this.hold(address, chunk.length);
        if (size > MAX_BYTES) throw tooLarge();
        if (this.held > MAX_BYTES_TOGETHER || heldOfAddress > MAX_BYTES_OF_ADDRESS) throw new TooManyMessages();
      }
      return Buffer.concat(chunks);
    } catch (error) {
      // The sender is gone, so there is nobody to answer.
      if (request.destroyed) throw new BadRequestException('the body was cut off');
      throw error;
    } finally {
      this.hold(address, -size);
    }
  }

  /** Reserves bytes for an address; returns its current total. */
  private hold(address: string, bytes: number): number {
    this.held += bytes;
    const held = (this.heldOf.get(address) ?? 0) + bytes;
    if (held > 0) this.heldOf.set(address, held);
    else this.heldOf.delete(address);
    return held;
  }
}

const unsupported = () =>
  new UnsupportedMediaTypeException(
    'the body must be JSON (content-type: application/json), in UTF-8 and not compressed',
  );

const tooLarge = () => new PayloadTooLargeException(`the body is larger than ${MAX_BYTES / 1024} KB`);

import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Returns a file whose parts are made while it is sent. Errors before its first part are answered like those of any other route. */
export async function streamedFile(
  parts: AsyncGenerator<string>,
  options: { type: string; disposition: string },
): Promise<StreamableFile> {
  const first = await parts.next();
  async function* all() {
    if (!first.done) yield first.value;
    yield* parts;
  }
  return new StreamableFile(Readable.from(all()), options);
}

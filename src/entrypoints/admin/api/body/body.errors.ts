import { PayloadTooLargeException, UnsupportedMediaTypeException } from '@nestjs/common';
import { AppError } from '../../../../platform/errors/app-error.js';

export class InvalidJson extends AppError {
  constructor() {
    // Messages of JSON parsers repeat parts of the body, which may contain a password.
    super('invalid', 'invalid_json', 'the body is not a valid JSON object in UTF-8');
  }
}

export class JsonTooDeep extends AppError {
  constructor(maxDepth: number) {
    super('invalid', 'json_too_deep', `the JSON of the body is nested more than ${maxDepth} levels deep`);
  }
}

export class TooManyValues extends AppError {
  constructor(maxValues: number) {
    super('invalid', 'too_many_values', `the JSON of the body holds more than ${maxValues} values: send it in parts`);
  }
}

export class InvalidText extends AppError {
  constructor(where: string) {
    super('invalid', 'invalid_text', `${where} holds a NUL character, or half of a surrogate pair: leave it out`);
  }
}

/** Thrown when the bodies of other requests leave no room for this one. */
export class TooManyBodies extends AppError {
  constructor() {
    super(
      'unavailable',
      'too_many_bodies',
      'other large requests are in progress: send this one again in a few seconds',
      {
        retryAfterSeconds: 2,
      },
    );
  }
}

export class BodyTooLarge extends PayloadTooLargeException {
  constructor(maxBytes: number) {
    super(`the body is larger than ${maxBytes} bytes`);
  }
}

/** Thrown when a body is of another type: left out, it would look like one without any fields. */
export class BodyNotJson extends UnsupportedMediaTypeException {
  constructor() {
    super('the body must be JSON, sent with the header content-type: application/json');
  }
}

/** Thrown when a body is compressed: a few kilobytes could expand to gigabytes. */
export class EncodedBody extends UnsupportedMediaTypeException {
  constructor() {
    super('the body must be sent in UTF-8 and without a Content-Encoding');
  }
}

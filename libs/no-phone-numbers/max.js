'use strict';

/** Recognises no phone numbers, so `@IsPhoneNumber` accepts none. */
exports.parsePhoneNumber = () => undefined;

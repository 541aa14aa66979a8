'use strict';

/** Knows no phone number: `@IsPhoneNumber` takes none. */
exports.parsePhoneNumber = () => undefined;

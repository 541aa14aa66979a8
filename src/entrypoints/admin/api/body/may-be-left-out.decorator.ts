import { ValidateIf } from 'class-validator';

/** Declares a member of a body that may be left out. Null is not nothing: it is refused unless another rule takes it. */
export const MayBeLeftOut = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

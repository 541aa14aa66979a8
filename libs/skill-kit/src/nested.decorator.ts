import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsArray, IsObject, ValidateNested } from 'class-validator';
import type { DtoClass } from './skill.decorator.js';

const NESTED_CLASS = Symbol('skill-kit:nested');

/**
 * Declares that a property holds an instance of another class, or with `each` an array of them: values are converted to
 * instances, validated by the rules of that class, and described in the JSON Schema.
 */
export function Nested(type: () => DtoClass, { each = false } = {}): PropertyDecorator {
  return (target, property) => {
    ValidateNested({ each })(target, property);
    // Nested validation alone accepts a list in place of an object, and the other way round.
    IsObject({ each })(target, property);
    if (each) IsArray()(target, property);
    Type(type)(target, property);
    // class-transformer does not expose the types that it knows, so they are recorded here.
    Reflect.defineMetadata(NESTED_CLASS, type, target, property);
  };
}

/** Returns the class given to `@Nested`. @throws TypeError when the property is not decorated */
export function nestedClassOf(dto: DtoClass, property: string): DtoClass {
  const type = Reflect.getMetadata(NESTED_CLASS, dto.prototype as object, property) as (() => DtoClass) | undefined;
  if (!type) throw new TypeError(`${dto.name}.${property} is not decorated with @Nested(() => Class)`);
  return type();
}

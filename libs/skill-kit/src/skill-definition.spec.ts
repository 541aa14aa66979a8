import {
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  registerDecorator,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { defineSkill, InvalidSkill, Nested, Skill, type SkillHandler } from '#skill-kit';

class Place {
  @IsString() city!: string;
}

class Forecast {
  @Nested(() => Place) place!: Place;
  @Nested(() => Place, { each: true }) @IsOptional() others?: Place[];
  @IsInt() @Min(1) @Max(10) @IsOptional() days: number = 3;
}

const IsEven = () => (target: object, propertyName: string) =>
  registerDecorator({
    name: 'isEven',
    target: target.constructor,
    propertyName,
    validator: { validate: (value) => Number(value) % 2 === 0, defaultMessage: () => 'must be even' },
  });

class Anything {
  @IsObject() value!: object;
  @IsObject({ each: true }) list!: object[];
}

class Listing {
  @IsInt() @IsOptional() @JSONSchema({ default: 500 }) length?: number;
}

class Even {
  @IsInt() @IsEven() number!: number;
}

function skill(options: Partial<Parameters<typeof Skill>[0]>) {
  @Skill({ name: 'forecast', description: 'Weather of the next days.', ...options })
  class Handler implements SkillHandler {
    execute() {
      return 'sunny';
    }
  }
  return defineSkill(new Handler());
}

describe('defineSkill', () => {
  it('derives a closed JSON Schema without references from a class', () => {
    const place = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    expect(skill({ input: Forecast }).inputSchema).toEqual({
      type: 'object',
      properties: {
        place,
        others: { type: 'array', items: place },
        days: { type: 'integer', minimum: 1, maximum: 10 },
      },
      required: ['place'],
      additionalProperties: false,
    });
  });

  it('refuses a class that contains itself, and a nested one whose class is unknown', () => {
    class Tree {
      @Nested(() => Tree, { each: true }) branches!: Tree[];
    }
    class Unknown {
      @ValidateNested({ each: true }) places!: Place[];
    }
    expect(() => skill({ input: Tree })).toThrow('the class Tree contains itself: write its JSON Schema by hand');
    expect(() => skill({ input: Unknown })).toThrow('Unknown.places is not decorated with @Nested(() => Class)');
  });

  it('gives a skill without arguments a schema with properties', () => {
    expect(skill({}).inputSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  it('hands the handler an instance with its defaults', () => {
    const parsed = skill({ input: Forecast }).parse({ place: { city: 'Bern' } });
    expect(parsed).toEqual({ input: expect.any(Forecast) as unknown });
    expect(parsed).toMatchObject({ input: { days: 3, place: { city: 'Bern' } } });
  });

  it('names every problem with its path', () => {
    expect(skill({ input: Forecast }).parse({ place: { town: 'Bern' }, days: 11 })).toEqual({
      problems: [
        'place: missing required property "city"',
        'place: unknown property "town" (known: city)',
        'days: must be <= 10',
      ],
    });
  });

  it('says once which properties there are', () => {
    const place = { city: 'Bern' };
    expect(skill({ input: Forecast }).parse({ place, town: 'Bern', when: 1 })).toEqual({
      problems: ['unknown property "town" (known: place, others, days)', 'unknown property "when"'],
    });
    expect(skill({}).parse({ a: 1 })).toEqual({ problems: ['unknown property "a" (there are none here)'] });
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`name${index}`, {}]));
    const many = skill({ input: { type: 'object', properties, additionalProperties: false } }).parse({ a: 1 });
    expect(many && 'problems' in many ? many.problems[0]?.length : 0).toBeLessThan(400);
  });

  it('says in words which types a value may have', () => {
    const input = { type: 'object', properties: { a: { type: ['object', 'array'] }, b: { type: 'array' } } };
    expect(skill({ input }).parse({ a: 1, b: 'x' })).toEqual({
      problems: ['a: must be object or array', 'b: must be array'],
    });
  });

  it('shows how to write a list of texts, and counts one thing in the singular', () => {
    const texts = { type: 'array', items: { type: 'string' }, minItems: 1 };
    const input = { type: 'object', properties: { tags: texts, none: texts, key: { type: 'string', minLength: 1 } } };
    expect(skill({ input: { ...input, required: ['key'] } }).parse({ tags: 'ops,en', none: [], key: '' })).toEqual({
      problems: [
        'tags: must be array, such as ["one", "two"]',
        'none: must NOT have fewer than 1 item',
        'key: must NOT have fewer than 1 character',
      ],
    });
  });

  it('accepts common variants of models, and refuses ambiguous ones', () => {
    const parse = (more: object) => skill({ input: Forecast }).parse({ place: { city: 'Bern' }, ...more });
    expect(parse({ days: '5', others: null })).toMatchObject({ input: { days: 5 } });
    expect(parse({ days: null })).toMatchObject({ input: { days: 3 } });
    expect(parse({ days: '5.5' })).toEqual({ problems: ['days: must be integer'] });
  });

  it('says in words what a pattern allows', () => {
    class Named {
      @JSONSchema({ description: 'Lower-case letters, such as "day".' }) @Matches(/^[a-z]+$/) key!: string;
      @Matches(/^\d+$/) code!: string;
    }
    expect(skill({ input: Named }).parse({ key: 'Day', code: 'x' })).toEqual({
      problems: [
        'key: does not fit: Lower-case letters, such as "day".',
        'code: does not fit the pattern of its schema',
      ],
    });
  });

  it('names at most 20 problems, each in few words, whatever was sent', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${'x'.repeat(500_000)}${index}`, 1]));
    const parsed = skill({ input: Forecast }).parse(many);
    const problems = parsed && 'problems' in parsed ? parsed.problems : [];
    expect(problems).toHaveLength(20);
    expect(problems.join('\n').length).toBeLessThan(4_000);
  });

  it('stops after some problems of a value that has a million', () => {
    const others: unknown[] = Array.from({ length: 1_000_000 }, () => 'no object');
    let isLookedAt = false;
    Object.defineProperty(others, 1_000, { get: () => (isLookedAt = true) });
    const check = skill({ input: Forecast });
    expect(check.parse({ place: { city: 'Bern' }, others })).toEqual({ problems: ['others.0: must be object'] });
    expect(isLookedAt).toBe(false);
  });

  it('fills in the defaults of a JSON Schema in a copy, also where a model wrote null', () => {
    const limit = { type: 'integer', default: 20 };
    const input = { type: 'object', properties: { limit, page: { type: 'object', properties: { limit } } } };
    const args = { limit: null, page: {} };
    expect(skill({ input }).parse(args)).toEqual({ input: { limit: 20, page: { limit: 20 } } });
    expect(args).toEqual({ limit: null, page: {} });
  });

  it('refuses a default that does not fit', () => {
    const input = { type: 'object', properties: { limit: { type: 'integer', default: 'many' } } };
    expect(skill({ input }).parse({})).toEqual({ problems: ['limit: must be integer'] });
    expect(skill({ input }).parse({ limit: 5 })).toEqual({ input: { limit: 5 } });
  });

  it('leaves defaults to a class that has one', () => {
    expect(skill({ input: Listing }).parse({})).toEqual({ input: {} });
  });

  it('keeps every member of a value that has no class, whatever its name', () => {
    const given = '{"constructor":{"a":1},"__proto__":{"b":[{"toString":2}]},"valueOf":null}';
    const parsed = skill({ input: Anything }).parse({ value: JSON.parse(given) as object, list: [] });
    expect(JSON.stringify(parsed)).toBe(`{"input":{"value":${given},"list":[]}}`);
  });

  it('refuses a prototype smuggled in as a property', () => {
    const args = JSON.parse('{"place":{"city":"Bern"},"__proto__":{"admin":true}}') as Record<string, unknown>;
    expect(skill({ input: Forecast }).parse(args)).toEqual({
      problems: ['unknown property "__proto__" (known: place, others, days)'],
    });
  });

  it('enforces rules that JSON Schema cannot express', () => {
    expect(skill({ input: Even }).parse({ number: 3 })).toEqual({ problems: ['number: must be even'] });
    expect(skill({ input: Even }).parse({ number: 4 })).toEqual({ input: { number: 4 } });
  });

  it.each(['', '1st', 'a.b', 'with space', 'x'.repeat(65), 'ümlaut'])('refuses the name %j', (name) => {
    expect(() => skill({ name })).toThrow(InvalidSkill);
  });

  it('refuses a schema that is not of type object, or no schema at all', () => {
    expect(() => skill({ input: { type: 'string' } })).toThrow('its input schema must have "type": "object"');
    expect(() => skill({ input: { type: 'object', properties: { a: { type: 'nothing' } } } })).toThrow(
      'not valid JSON Schema',
    );
  });
});

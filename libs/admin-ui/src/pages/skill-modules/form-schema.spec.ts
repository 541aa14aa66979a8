import { formSchemaOf } from './form-schema';

describe('the schema of the form of settings', () => {
  it('says what defaults and bounds are, and fills nothing in', () => {
    const schema = {
      type: 'object',
      properties: {
        limit: { type: 'integer', description: 'Most results.', minimum: 1, maximum: 50, default: 10 },
        on: { type: 'boolean', default: false },
        base_url: { type: 'string' },
      },
    };
    expect(formSchemaOf(schema)).toEqual({
      type: 'object',
      properties: {
        limit: {
          type: 'integer',
          description: 'Most results. At least 1, at most 50. Default: 10.',
          minimum: 1,
          maximum: 50,
        },
        on: { type: 'boolean', description: 'Default: false.' },
        base_url: { type: 'string', description: 'No default.' },
      },
    });
  });
});

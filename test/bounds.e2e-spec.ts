import { TestService } from './support/service.js';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  enum?: unknown[];
  $ref?: string;
  allOf?: Schema[];
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
  parameters?: { name: string; in: string; schema: Schema }[];
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Returns the places in a schema where a text or a list has no maximum length. */
function boundless(schema: Schema, path: string, named: Record<string, Schema> = {}): string[] {
  const { $ref, type, properties = {}, items, allOf = [] } = schema;
  if ($ref) return boundless(named[$ref.split('/').at(-1) ?? ''] ?? {}, path, named);
  const isBoundless =
    (type === 'string' && schema.maxLength === undefined && !schema.pattern && !schema.enum) ||
    (type === 'array' && schema.maxItems === undefined);
  return [
    ...(isBoundless ? [path] : []),
    ...(items ? boundless(items, `${path}[]`, named) : []),
    ...allOf.flatMap((part) => boundless(part, path, named)),
    ...Object.entries(properties).flatMap(([name, property]) => boundless(property, `${path}.${name}`, named)),
  ];
}

describe('the length of what callers send', () => {
  let service: TestService;
  beforeAll(async () => void (service = await TestService.start()));
  afterAll(() => service.stop());

  it('is bounded in every tool', async () => {
    const answer = await service.postStateless('tools/list');
    const { result } = (await answer.json()) as { result: { tools: { name: string; inputSchema: Schema }[] } };
    expect(result.tools.length).toBeGreaterThan(8);
    expect(result.tools.flatMap(({ name, inputSchema }) => boundless(inputSchema, name))).toEqual([]);
  });

  it('is bounded in the admin API', async () => {
    const { body } = await service.admin('GET', 'openapi.json');
    const paths = body['paths'] as OpenApi['paths'];
    const components = body['components'] as OpenApi['components'];
    const found = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody, parameters = [] }]) => [
        ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          boundless(schema, `${method} ${path}`, components.schemas),
        ),
        ...parameters
          .filter((parameter) => parameter.in === 'query')
          .flatMap(({ name, schema }) => boundless(schema, `${method} ${path}?${name}`, components.schemas)),
      ]),
    );
    expect(found).toEqual([]);
  });
});

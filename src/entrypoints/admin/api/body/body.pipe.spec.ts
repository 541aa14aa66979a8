import { AuditQuery } from '../../audit/audit.schema.js';
import { ClientBody } from '../../clients/clients.schema.js';
import { ModuleUploadBody } from '../../skill-modules/skill-modules.schema.js';
import { StartBody } from '../../workflows/workflows.schema.js';
import { BodyPipe } from './body.pipe.js';

describe('a body', () => {
  const read = (body: string) =>
    new BodyPipe().transform(JSON.parse(body), { type: 'body', metatype: StartBody }) as Promise<StartBody>;

  it('keeps every member of an object that may have any, whatever its name', async () => {
    const input = '{"constructor":1,"__proto__":{"constructor":{"prototype":2}},"list":[{"toString":3,"b":[]}]}';
    const body = await read(`{"input":${input},"version":"1.0.0"}`);
    expect(body).toBeInstanceOf(StartBody);
    expect(JSON.stringify(body.input)).toBe(input);
    expect(body.version).toBe('1.0.0');
  });

  it('is refused once for each field that is missing', async () => {
    const reading = new BodyPipe().transform({}, { type: 'body', metatype: ModuleUploadBody });
    await expect(reading).rejects.toThrow(/^a field is wrong: file: file is missing$/);
  });

  it('is refused with a field that is not declared', async () => {
    await expect(read('{"inputs":{}}')).rejects.toThrow('inputs: property inputs should not exist');
  });
});

describe('a time', () => {
  const filter = (from: string) => new BodyPipe().transform({ from }, { type: 'query', metatype: AuditQuery });
  const change = (expiresAt: string | null) =>
    new BodyPipe().transform({ expiresAt }, { type: 'body', metatype: ClientBody });

  it('is read', async () => {
    expect(await filter('2028-02-29T10:15:00+01:00')).toMatchObject({ from: new Date('2028-02-29T09:15:00Z') });
    expect(await change('2028-02-29T10:15:00Z')).toMatchObject({ expiresAt: new Date('2028-02-29T10:15:00Z') });
    expect(await change(null)).toMatchObject({ expiresAt: null });
  });

  it.each(['2026-02-30T00:00:00Z', '2026-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '2026-03-01'])(
    'is refused when there is none such as %s',
    async (time) => {
      await expect(filter(time)).rejects.toThrow('from must be a time with its offset');
      await expect(change(time)).rejects.toThrow('expiresAt must be a time with its offset');
    },
  );
});

describe('a number in a query', () => {
  const list = (limit: unknown) => new BodyPipe().transform({ limit }, { type: 'query', metatype: AuditQuery });

  it('is read from digits', async () => {
    expect(await list('20')).toMatchObject({ limit: 20 });
  });

  it.each(['1e1', '0x10', '0b11', ' 20', '+20', '20.0', '', 'NaN', ['20', '30']])('is refused as %j', async (limit) => {
    await expect(list(limit)).rejects.toThrow('limit must be an integer number');
  });
});

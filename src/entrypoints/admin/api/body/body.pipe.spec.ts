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

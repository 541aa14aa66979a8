import { base64Of } from './base64';

it('writes bytes as Base64, however many there are', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
  expect(base64Of(bytes)).toBe(Buffer.from(bytes).toString('base64'));
  expect(base64Of(new Uint8Array())).toBe('');
});

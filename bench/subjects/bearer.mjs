import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (value) => createHash('sha256').update(value).digest();
const expected = digest(process.env.BENCH_KEY);

/** Whether a request carries the key of this run. The same check for every peer. */
export function isAuthorized(request) {
  const { authorization } = request.headers;
  return authorization?.startsWith('Bearer ') === true && timingSafeEqual(digest(authorization.slice(7)), expected);
}

/** Express middleware. */
export function requireBearer(request, response, next) {
  if (isAuthorized(request)) return next();
  response.status(401).json({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Unauthorized' } });
}

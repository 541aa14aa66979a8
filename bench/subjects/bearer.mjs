import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (value) => createHash('sha256').update(value).digest();
const expected = digest(process.env.BENCH_KEY);

/** Returns whether a request has the key of this run. All servers use the same check. */
export function isAuthorized(request) {
  const { authorization } = request.headers;
  return authorization?.startsWith('Bearer ') === true && timingSafeEqual(digest(authorization.slice(7)), expected);
}

/** Express middleware. */
export function requireBearer(request, response, next) {
  if (isAuthorized(request)) return next();
  response.status(401).json({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Unauthorized' } });
}

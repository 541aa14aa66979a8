import { stat } from 'node:fs/promises';

/**
 * The path below /admin/ that a request for the UI names; empty for /admin itself. Null when the request is not for the UI
 * but for the API, changes something, or tries to leave the folder.
 */
export function pagePathOf(method: string, url: string): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const [, path = ''] = /^\/admin\/?([^?#]*)/i.exec(url) ?? [];
  if (/^api(?:\/|$)/i.test(path)) return null;
  const decoded = decode(path);
  // The URL parser of clients removes dot segments; who sends one by hand is not loading a page.
  return decoded === null || /(?:^|[\\/])\.\.(?:[\\/]|$)|\0/.test(decoded) ? null : decoded;
}

export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

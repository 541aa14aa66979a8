import { stat } from 'node:fs/promises';

/**
 * Returns the path of a request for the UI below /admin/; empty for /admin itself; null when the request is for the API, could
 * change something, or tries to leave the folder.
 */
export function pagePathOf(method: string, url: string): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const [, path = ''] = /^\/admin\/?([^?#]*)/i.exec(url) ?? [];
  if (/^api(?:\/|$)/i.test(path)) return null;
  const decoded = decode(path);
  // Browsers remove dot segments, so a request that has one does not load a page.
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

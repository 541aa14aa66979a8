/** A condition: `"3"`, or the weak form of it, which proxies produce when they compress responses. */
const ONE_VERSION = /^(?:W\/)?"(?<version>[\w:.-]{1,64})"$/;

/**
 * Returns the version in the header `If-Match`; undefined when any version matches; null when it is malformed.
 * @param header undefined = no header
 */
export function versionInIfMatch(header: string | undefined): string | undefined | null {
  const written = header?.trim();
  if (written === undefined || written === '*') return undefined;
  return ONE_VERSION.exec(written)?.groups?.['version'] ?? null;
}

/** Returns the value of the header `ETag` for a version. */
export const entityTag = (version: string | number): string => `"${version}"`;

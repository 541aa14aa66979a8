/** What a condition can say: `"3"`, or weakly the same, because proxies that compress answers write it so. */
const ONE_VERSION = /^(?:W\/)?"(?<version>[\w:.-]{1,64})"$/;

/**
 * Returns the version in the header `If-Match`; undefined when any version fits; null when it cannot be read.
 * @param header undefined = there is none
 */
export function versionInIfMatch(header: string | undefined): string | undefined | null {
  const written = header?.trim();
  if (written === undefined || written === '*') return undefined;
  return ONE_VERSION.exec(written)?.groups?.['version'] ?? null;
}

/** Returns the value of the header `ETag` for a version. */
export const entityTag = (version: string | number): string => `"${version}"`;

/** Returns 256 random bits as a URL-safe string. */
export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Returns the challenge of a verifier (RFC 7636, section 4.2, S256). */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

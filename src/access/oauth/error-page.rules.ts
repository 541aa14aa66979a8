import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';

/** Advice for the person, by the error of the authorization server (RFC 6749, section 4.1.2.1). */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_client:
    'The service does not know this program any more. Remove the connection in your program and add it again.',
  invalid_redirect_uri: 'The program asks to send you to an address that it has not registered. Do not go on.',
  temporarily_unavailable:
    'The service cannot answer at the moment. Wait a little, go back to your program and begin again.',
  invalid_request: 'The program has sent something that is not complete. Update it, and begin again.',
};
const BEGIN_AGAIN = 'Go back to your program and begin again.';

/** Answers a person, or a program, that a sign-in cannot continue. */
export function errorPage(ctx: KoaContextWithOIDC, { error, error_description: description }: ErrorOut): void {
  ctx.set('Cache-Control', 'no-store');
  if (ctx.accepts('json', 'html') !== 'html') {
    ctx.body = { error, ...(description !== undefined && { error_description: description }) };
    return;
  }
  ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  ctx.type = 'html';
  ctx.body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign-in failed</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>Sign-in failed</h1><p>${escapeHtml(ADVICE[error] ?? BEGIN_AGAIN)}</p>
<p><small>${escapeHtml(description === undefined ? error : `${error}: ${description}`)}</small></p></html>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

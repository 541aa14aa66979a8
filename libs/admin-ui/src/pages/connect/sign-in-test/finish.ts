import { testStateless } from '../test/connection-test';
import { type Send } from '../test/exchange';
import type { Begun } from './begin';
import { askForm, type Bench, StepFailed, takeStep, textOf } from './oauth-steps';

const AGAIN = 'Start the test again.';
const SEE_LOG = 'See the log of the service for details.';

/**
 * Does what a program does after the redirect: gets tokens, uses and refreshes them, and revokes them.
 * @param back the query of the redirect
 * @param sendWith sends requests to the endpoint with a token
 * @throws StepFailed
 */
export async function finishSignIn(
  bench: Bench,
  begun: Begun,
  back: URLSearchParams,
  sendWith: (token: string) => Send,
): Promise<void> {
  const code = await takeStep(bench, 'Return with a code', async () => ({
    value: codeIn(back, begun),
    summary: 'Allowed',
  }));
  const { clientId: client_id, redirectUri: redirect_uri, verifier: code_verifier, resource } = begun;
  const first = await takeStep(bench, 'Exchange the code for tokens', () =>
    getTokens(bench, begun, {
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      code_verifier,
      client_id,
      resource,
    }),
  );
  for await (const result of testStateless(sendWith(first.access), bench.now)) bench.report(result);
  const second = await takeStep(bench, 'Refresh the tokens', () =>
    getTokens(bench, begun, { grant_type: 'refresh_token', refresh_token: first.refresh, client_id, resource }),
  );
  await takeStep(bench, 'Revoke the tokens', async () => {
    const form = new URLSearchParams({ token: second.refresh, token_type_hint: 'refresh_token', client_id });
    const { ok, status } = await bench.fetch(begun.revocationEndpoint, {
      method: 'POST',
      body: form,
      credentials: 'omit',
    });
    if (!ok) throw new StepFailed(`HTTP ${status}`, 'Revoke it under Your account.');
    return { value: null, summary: 'Revoked' };
  });
  await takeStep(bench, 'Check that the tokens no longer work', async () => {
    const { status } = await sendWith(second.access)({
      method: 'POST',
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    });
    if (status !== 401) throw new StepFailed(`HTTP ${status} instead of 401`, SEE_LOG);
    return { value: null, summary: 'HTTP 401' };
  });
}

/** Checks the authorization response (RFC 6749, section 4.1.2; RFC 9207). */
function codeIn(back: URLSearchParams, { state, issuer }: Begun): string {
  if (back.get('state') !== state) throw new StepFailed('another sign-in came back', AGAIN);
  if (back.get('iss') !== issuer) throw new StepFailed(`${back.get('iss')} answers, and not ${issuer}`, AGAIN);
  const error = back.get('error');
  if (error === 'access_denied') throw new StepFailed('You did not allow it', 'Choose Allow to test the rest.');
  if (error !== null) throw new StepFailed(`${error}: ${back.get('error_description') ?? ''}`, AGAIN);
  const code = back.get('code');
  if (code === null) throw new StepFailed('no code came back', AGAIN);
  return code;
}

async function getTokens(bench: Bench, { tokenEndpoint }: Begun, form: Record<string, string>) {
  const answer = await askForm(bench, tokenEndpoint, AGAIN, form);
  const value = { access: textOf(answer, 'access_token', SEE_LOG), refresh: textOf(answer, 'refresh_token', SEE_LOG) };
  return { value, summary: `Valid for ${String(answer['expires_in'])} s` };
}

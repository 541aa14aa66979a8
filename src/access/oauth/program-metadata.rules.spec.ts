import { normalMetadata, RedirectUrisInvalid, shownName } from './program-metadata.rules.js';

const URIS = ['http://localhost/callback'];

describe('what a program says of itself', () => {
  it('is taken as programs send it, with what is missing, and without what means nothing here', () => {
    const sent = {
      redirect_uris: URIS,
      client_name: 'A  program\n',
      scope: 'unknown',
      grant_types: ['implicit', 'password'],
      response_types: ['token'],
      logo_uri: 'http://example.com/logo.png',
      client_uri: 'https://example.com',
      jwks_uri: 'https://example.com/jwks',
      contacts: ['nobody'],
      __proto__: { polluted: true },
    };
    expect(normalMetadata(sent)).toEqual({
      client_name: 'A program',
      client_uri: 'https://example.com',
      redirect_uris: URIS,
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  it.each([
    ['none', 'none'],
    ['client_secret_post', 'client_secret_post'],
    ['client_secret_basic', 'client_secret_basic'],
    ['private_key_jwt', 'none'],
    [undefined, 'none'],
  ])('with the method %s uses %s', (sent, used) => {
    const method = normalMetadata({ redirect_uris: URIS, token_endpoint_auth_method: sent })[
      'token_endpoint_auth_method'
    ];
    expect(method).toBe(used);
  });

  it.each([
    [['https://vscode.dev/redirect'], 'web'],
    [['https://vscode.dev/redirect', 'http://127.0.0.1/'], 'native'],
    [['cursor://a'], 'native'],
  ])('with the addresses %j is %s', (uris, type) => {
    expect(normalMetadata({ redirect_uris: uris })['application_type']).toBe(type);
  });

  it.each([undefined, 'https://example.com/', [], [1], [null], Array(21).fill('https://example.com/'), ['data:,']])(
    'is refused with the addresses %j',
    (uris) => expect(() => normalMetadata({ redirect_uris: uris })).toThrow(RedirectUrisInvalid),
  );

  it('shows a name on one line, in a hundred characters, without any that nobody sees', () => {
    expect(shownName('Claude\u200b\u202e\r\n  by\u0000Anthropic')).toBe('Claude by Anthropic');
    expect(shownName('\u2066\u2069 ')).toBe('a program without a name');
    expect(shownName('x'.repeat(101))).toHaveLength(100);
    expect(shownName(`${'x'.repeat(99)}😀`).isWellFormed()).toBe(true);
  });
});

import { All, Controller, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { OAuthAddresses } from '../../access/clients/oauth-addresses.service.js';

const USE_A_KEY =
  'This address uses an API key, not OAuth: send the header "Authorization: Bearer <API key>". An administrator creates keys ' +
  'in the admin interface at /admin, under Clients.';

/**
 * Answers clients that look for an OAuth server, as many do when their key is missing or wrong, with what to do instead. They
 * show the description of an error in the format of RFC 6749, section 5.2; any other response looks like a failure of the client.
 */
@ApiExcludeController()
@Controller()
export class NoOAuthController {
  constructor(private readonly addresses: OAuthAddresses) {}

  /** RFC 8414, RFC 9728 and OpenID Connect Discovery: 404 means that there is no server. */
  @All([
    '.well-known/oauth-authorization-server{/*path}',
    '.well-known/oauth-protected-resource{/*path}',
    '.well-known/openid-configuration{/*path}',
    'mcp/.well-known/openid-configuration',
  ])
  metadata(@Res() res: Response): void {
    res.status(404).json({ error: 'not_found', error_description: this.description() });
  }

  /** RFC 7591, section 3.2.2. */
  @All(['register', 'authorize', 'token'])
  endpoint(@Res() res: Response): void {
    res.status(400).json({ error: 'invalid_request', error_description: this.description() });
  }

  private description(): string {
    const endpoint = this.addresses.endpoint();
    return endpoint === null ? USE_A_KEY : `${USE_A_KEY} People sign in with OAuth at ${endpoint}, without a key.`;
  }
}

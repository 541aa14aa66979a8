import type { ObjectNode } from '../document-node.js';
import { enclosedProgram } from '../../templates.js';
import { type ObjectShape, type Report, type Shape, text } from '../shape.js';

const credential = (about: string) => text(about, { expression: 'enclosed', most: 8000 });
const secret = text('The name of one of use.secrets, which holds the members.', { names: 'secrets' });

/** Credentials: written as members, or taken from the members of a secret. */
function credentials(about: string, members: Record<string, Shape>, names: readonly string[]): ObjectShape {
  return {
    type: 'object',
    about,
    properties: { ...members, use: secret },
    check(node, report) {
      if (node.members.has('use')) {
        const [extra] = names.filter((name) => node.members.has(name));
        if (extra !== undefined) report([extra], `is not needed beside use: remove one of the two`);
        return;
      }
      const missing = names.filter((name) => !node.members.has(name));
      const known = new Set([...names, 'use']);
      // An unknown property is reported separately, and is probably the missing one.
      if (missing.length > 0 && [...node.members.keys()].every((name) => known.has(name))) {
        report([], `needs ${names.join(' and ')}, or use with the name of a secret; missing: ${missing.join(', ')}`);
      }
      warnOfLiterals(node, names, report);
    },
  };
}

function warnOfLiterals(node: ObjectNode, names: readonly string[], report: Report): void {
  for (const name of names) {
    const value = node.value[name];
    if (name === 'username' || typeof value !== 'string' || enclosedProgram(value) !== undefined) continue;
    report(
      [name],
      'is in the text, for everybody who may read the workflow: take it from a secret, as ${ $secrets.name }',
      'warning',
    );
  }
}

const refused = {
  digest: 'is not supported: use basic or bearer',
  oauth2: 'is not supported yet: keep a token as a secret, and use bearer',
  oidc: 'is not supported: keep a token as a secret, and use bearer',
  certificate: 'is not supported: use basic or bearer',
};

const schemes: Record<string, Shape> = {
  basic: credentials('HTTP Basic.', { username: credential('The user name.'), password: credential('The password.') }, [
    'username',
    'password',
  ]),
  bearer: credentials('A bearer token.', { token: credential('The token.') }, ['token']),
};

export const authenticationDeclaration: ObjectShape = {
  type: 'object',
  about: 'Credentials that tasks name.',
  properties: schemes,
  exactlyOne: Object.keys(schemes),
  refused,
};

export const authentication: ObjectShape = {
  type: 'object',
  about: 'The credentials of the request.',
  properties: { ...schemes, use: text('The name of one of use.authentications.', { names: 'authentications' }) },
  exactlyOne: [...Object.keys(schemes), 'use'],
  refused,
};

import { SCOPE_OF_OPERATION, SCOPES, type OperationId } from '#contract/scopes';
import { SCOPE_TEXTS } from '#contract/scope-texts';
import type { Node, Operation } from './schema';

const BEARER =
  'A token that the person has made in *Profile → For developers*. The token is opaque: clients must not parse it.';

/**
 * The two kinds of tokens in the document: tokens that a person creates in the settings, and tokens of apps that a
 * person connects. Tokens of door links are not declared.
 */
export function securitySchemes(origin: string): Record<string, Node> {
  return {
    token: { type: 'http', scheme: 'bearer', bearerFormat: 'evt_ and 42 letters and digits', description: BEARER },
    oauth: {
      type: 'oauth2',
      description: 'The token of an app that the person has connected. It has the scopes that the person has allowed.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${origin}/oauth/authorize`,
          tokenUrl: `${origin}/oauth/token`,
          refreshUrl: `${origin}/oauth/token`,
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_TEXTS[scope].en])),
        },
      },
    },
  };
}

/**
 * The kinds of tokens that the operation accepts. `oauth` lists the scope that an app's token needs; the list is empty
 * if every app may call the operation. A person's token with a list of scopes needs the same scope. A person's token
 * with an access level (`read`, `write`) needs no scope.
 */
export function securityOf({ operationId }: Operation): Node[] {
  const scope = SCOPE_OF_OPERATION[operationId as OperationId];
  return [{ token: [] }, { oauth: scope === null ? [] : [scope] }];
}

import { libraryErrors } from './library';

export function invalidGrant(): Error {
  return new (libraryErrors().InvalidGrant)('the code or token was already used, or the grant has ended');
}

export function invalidClient(): Error {
  return new (libraryErrors().InvalidClient)('client is invalid', 'client not found');
}

export function invalidScope(): Error {
  return new (libraryErrors().InvalidScope)('none of the scopes is known', '');
}

export function invalidTarget(): Error {
  return new (libraryErrors().InvalidTarget)();
}

export function invalidMetadata(description: string): Error {
  return new (libraryErrors().InvalidClientMetadata)(description);
}

export function tokenOfAnotherClient(): Error {
  return new (libraryErrors().InvalidRequest)('the token belongs to another client');
}

/**
 * The error of a 429 response. OAuth has no error code for this status, so the code is `temporarily_unavailable`.
 * `retryAfter` is in seconds.
 */
export function tooMany(description: string, retryAfter: number): Error {
  const error = new (libraryErrors().CustomOIDCProviderError)('temporarily_unavailable', description);
  return Object.assign(error, { status: 429, statusCode: 429, retryAfter });
}

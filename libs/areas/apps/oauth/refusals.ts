import type { errors } from 'oidc-provider';
import type { Library } from './library';

/** The loaded library `oidc-provider`; null until it is loaded. It is set before any code of the library runs. */
let library: Library | null = null;

export function setLibrary(loaded: Library): void {
  library = loaded;
}

function libraryErrors(): typeof errors {
  if (!library) throw new Error('the library is not loaded');
  return library.errors;
}

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

import { LIMITS } from '#contract/limits';
import { STORABLE } from '#platform/http/constraints';
import { isAppName } from '../app-names';
import { redirectTarget } from '../redirect-addresses';
import { clientFields } from './clients.adapter';
import { invalidMetadata } from './refusals';

const { document, redirect_uris: count, redirect_uri, homepage } = LIMITS.apps;

/** Metadata of a client as the library oidc-provider represents it during validation. */
type Metadata = Record<string, unknown>;

/** Metadata that the service does not use. The library would validate it and request some of the addresses. */
const UNUSED = [
  'contacts',
  'default_acr_values',
  'default_max_age',
  'initiate_login_uri',
  'jwks',
  'jwks_uri',
  'logo_uri',
  'policy_uri',
  'require_auth_time',
  'scope',
  'sector_identifier_uri',
  'tos_uri',
] as const;

/**
 * Selects, from the body of a registration, the metadata that the service uses. A registration always creates a public
 * client. The other fields of the body are ignored (RFC 7591, section 2).
 */
export function publicClient(body: unknown): Metadata {
  const { client_name, client_uri, redirect_uris, grant_types } = (body ?? {}) as Metadata;
  return { client_name, client_uri, redirect_uris, grant_types, token_endpoint_auth_method: 'none' };
}

/** Validates the metadata of an app, removes unused fields, and sets the derived values (APP-9, APP-10). */
export function validateMetadata(metadata: Metadata): void {
  const { client_id, redirect_uris: sent } = metadata;
  // The client id of an app with a metadata document is the address of the document (APP-11).
  if (Buffer.byteLength(String(client_id)) > document.address)
    throw invalidMetadata(`the address of the document must have at most ${document.address} bytes`);
  const addresses = sent ?? [];
  if (!Array.isArray(addresses) || !addresses.every((one) => typeof one === 'string'))
    throw invalidMetadata('redirect_uris must be a list of texts');
  if (!isForDevices(metadata, addresses) && (addresses.length < count.min || addresses.length > count.max))
    throw invalidMetadata(`redirect_uris must have ${count.min} to ${count.max} addresses`);
  for (const address of addresses)
    if (address.length > redirect_uri.max || redirectTarget(address) === null)
      throw invalidMetadata(
        'redirect_uris must have https, http on the local computer, or a private-use scheme that contains a dot',
      );
  for (const name of UNUSED) metadata[name] = undefined;
  metadata.client_name = nameOf(metadata.client_name, String(client_id), addresses);
  const { client_uri } = metadata;
  if (client_uri !== undefined && !isHomepage(client_uri))
    throw invalidMetadata(`client_uri must be a text of at most ${homepage.max} characters, without NUL`);
  Object.assign(metadata, clientFields(addresses));
}

function isHomepage(sent: unknown): boolean {
  return typeof sent === 'string' && sent.length <= homepage.max && STORABLE.test(sent);
}

/**
 * Whether the app needs no redirect address, because it gets its tokens by device codes. The `grant_types` of such an
 * app contain the device code. The app sends no `redirect_uris`, or it sends an empty list and its `grant_types` do not
 * contain `authorization_code`.
 */
function isForDevices(metadata: Metadata, addresses: readonly string[]): boolean {
  const grants = grantsOf(metadata);
  return (
    addresses.length === 0 &&
    grants.includes('urn:ietf:params:oauth:grant-type:device_code') &&
    (metadata.redirect_uris === undefined || !grants.includes('authorization_code'))
  );
}

function grantsOf({ grant_types }: Metadata): readonly unknown[] {
  return Array.isArray(grant_types) ? grant_types : [];
}

/**
 * The name of the app. If the app has not sent a name, the name is the first https host among the client id and the
 * redirect addresses. If there is no such host, or if the host is not a valid name, the name is `App`.
 */
function nameOf(sent: unknown, clientId: string, addresses: readonly string[]): string {
  if (sent === undefined) {
    const [host] = [clientId, ...addresses].filter((one) => one.startsWith('https:')).map((one) => new URL(one).host);
    return host !== undefined && isAppName(host) ? host : 'App';
  }
  if (typeof sent !== 'string' || !isAppName(sent.trim()))
    throw invalidMetadata('client_name must have 2 to 60 characters, without control and bidi characters');
  return sent.trim();
}

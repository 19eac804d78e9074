import { OAUTH_PATHS, type RESOURCE_PATHS } from '#areas/apps/authorization-server';
import { SCOPES } from '#contract/scopes';

/** The metadata of the authorization server, as defined by RFC 8414. */
export function serverMetadata(baseUrl: string): object {
  const urlOf = (path: string): string => baseUrl + path;
  return {
    issuer: baseUrl,
    authorization_endpoint: urlOf(OAUTH_PATHS.authorization),
    token_endpoint: urlOf(OAUTH_PATHS.token),
    revocation_endpoint: urlOf(OAUTH_PATHS.revocation),
    registration_endpoint: urlOf(OAUTH_PATHS.registration),
    device_authorization_endpoint: urlOf(OAUTH_PATHS.device_authorization),
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: urlOf('/docs'),
  };
}

/** The metadata of the protected resource (RFC 9728): which authorization server issues tokens for it. */
export function resourceMetadata(baseUrl: string, path: (typeof RESOURCE_PATHS)[number]): object {
  return {
    resource: baseUrl + path,
    authorization_servers: [baseUrl],
    scopes_supported: ['read', 'write'],
    bearer_methods_supported: ['header'],
    resource_name: 'Events',
    resource_documentation: `${baseUrl}/docs`,
  };
}

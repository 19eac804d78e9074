import { POSTGRES_PORT, SCHEMES } from './database-address';
import type { EnvironmentReader } from './environment';
import { parseUrl } from '../text/url';

const NAME = 'DATABASE_REPLICA_URLS';

/**
 * Reads DATABASE_REPLICA_URLS: URLs with one server each, separated by spaces or commas. Errors do not contain the
 * URLs, because URLs may contain passwords.
 */
export function replicaUrls(read: EnvironmentReader): readonly string[] {
  const urls = (read.text(NAME) ?? '').split(/[\s,]+/).filter(Boolean);
  const isAddress = (text: string): boolean => {
    const url = parseUrl(text);
    return url !== null && SCHEMES.includes(url.protocol) && url.hostname !== '';
  };
  if (!urls.every(isAddress)) {
    read.addError(
      `${NAME} must be URLs that start with postgres:// or postgresql://, one for each replica, separated by spaces or commas.`,
    );
    return [];
  }
  if (new Set(urls.map(serverOf)).size < urls.length) read.addError(`${NAME} must contain every replica only once.`);
  return urls;
}

/** The name of a server in logs and metrics: host and port. */
export function serverOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || POSTGRES_PORT}`;
}

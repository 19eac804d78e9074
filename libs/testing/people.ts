import { randomBytes } from 'node:crypto';
import { accessOf, TokensCommands } from '#areas/identity/tokens.commands';
import { UsersCommands } from '#areas/identity/users.commands';
import type { UserDto } from '#areas/identity/user.dto';
import type { Scope } from '#contract/scopes';
import type { TokenAccess } from '#contract/vocabulary';
import { Database } from '#platform/database/database';
import { PublicIds } from '#platform/http/public-ids';
import { HttpClient } from './http-client';
import type { Host } from './host';
import { inDays } from './times';

export interface PersonOptions extends UserDto {
  /** The access of the token; not used if `scopes` is given. */
  readonly access?: TokenAccess;
  /** Individual scopes of the token, instead of `access`. */
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: Date | null;
}

/** A person with an account and a token. `api` sends requests with this token over HTTP. */
export interface Person {
  readonly slug: string;
  readonly name: string;
  /** The public id (a hashid, WIRE-1). */
  readonly id: string;
  readonly userId: number;
  readonly token: string;
  readonly api: HttpClient;
}

export async function createPerson(
  server: Host,
  name: string,
  { access = 'write', scopes, expiresAt = null, ...fields }: PersonOptions,
): Promise<Person> {
  const slug = `${name}-${randomBytes(4).toString('hex')}`;
  const fullName = fields.name ?? `${name[0]?.toUpperCase()}${name.slice(1)} Nováková`;
  const { user, secret } = await server.app.get(Database).transaction(async (tx) => {
    const createdUser = await server.app
      .get(UsersCommands)
      .create(tx, slug, { premium_until: inDays(3650), ...fields, name: fullName });
    const token = await server.app.get(TokensCommands).create(tx, createdUser.id, {
      name: 'app',
      ...accessOf(scopes ? { scopes } : { access }),
      expiresAt,
    });
    return { user: createdUser, secret: token.secret };
  });
  return {
    slug,
    name: fullName,
    id: server.app.get(PublicIds).encode('user', user.id),
    userId: user.id,
    token: secret,
    api: clientOf(server, secret),
  };
}

export function clientOf(server: Host, token: string): HttpClient {
  return new HttpClient(server.origin, { authorization: `Bearer ${token}`, accept: 'application/json' });
}

import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CreditsCommands } from '../credits/credits.commands';
import { AppliedTokenDto } from '../identity/token.dto';
import { TokensCommands } from '../identity/tokens.commands';
import { UserDto } from '../identity/user.dto';
import type { User } from '../identity/user.entity';
import { isUserSlug } from '../identity/user.policy';
import { UsersCommands } from '../identity/users.commands';
import { UsersReader } from '../identity/users.reader';
import type { Transaction } from '#platform/database/database';
import { readInput } from '#platform/http/input';
import { Wire } from '#platform/http/wire';
import { Mistake } from '#platform/config/mistake';
import { CreditsDto } from './apply.dto';
import { listOf, objectOf, textOf } from './document';

const FIELDS = [
  'name', 'nickname', 'email', 'password', 'locale', 'timezone', 'birth_date', 'gender', 'iban', 'premium_until', 'verified', 'admin',
  'moderator', 'banned', 'searchable',
] as const;
const KEYS = ['slug', ...FIELDS, 'avatar', 'blocks', 'tokens', 'credits'] as const;

/** One account of the document, checked before anything is written. */
export interface AppliedUser {
  readonly slug: string;
  readonly fields: UserDto;
  readonly blocks: readonly string[] | null;
  readonly tokens: readonly AppliedTokenDto[];
  /** Absolute path of a picture. */
  readonly avatar: string | null;
  /** What the balance is to be; absent: as it is. */
  readonly credits: number | null;
}

export interface MadeUser {
  slug: string;
  id: string;
  tokens: { name: string; token: string }[];
}

/** The `users` of an apply document. */
@Injectable()
export class ApplyUsers {
  constructor(
    private readonly users: UsersReader,
    private readonly commands: UsersCommands,
    private readonly tokens: TokensCommands,
    private readonly credits: CreditsCommands,
    private readonly wire: Wire,
  ) {}

  read(value: unknown, where: string, folder: string): AppliedUser {
    const user = objectOf(value, KEYS, where);
    const slug = textOf(user.slug, `${where}.slug`);
    if (!isUserSlug(slug)) throw new Mistake(`${where}.slug: lower-case letters, digits and inner hyphens, at most 60.`);
    textOf(user.name, `${where}.name`);
    const fields = Object.fromEntries(FIELDS.filter((field) => user[field] !== undefined).map((field) => [field, user[field]]));
    return {
      slug,
      fields: readInput(UserDto, fields, 'json'),
      blocks: user.blocks === undefined ? null : listOf(user.blocks, `${where}.blocks`).map((one) => textOf(one, `${where}.blocks`)),
      tokens: listOf(user.tokens, `${where}.tokens`).map((one, i) =>
        readInput(AppliedTokenDto, objectOf(one, ['name', 'access', 'expires_at'], `${where}.tokens.${i}`), 'json'),
      ),
      avatar: typeof user.avatar === 'string' ? resolve(folder, user.avatar) : null,
      credits: readInput(CreditsDto, { credits: user.credits }, 'json').credits ?? null,
    };
  }

  /** Makes or changes the accounts, then their blocks, so that a document may name people in any order. */
  async write(tx: Transaction, users: readonly AppliedUser[], avatarKeys: ReadonlyMap<string, string>): Promise<MadeUser[]> {
    const made: MadeUser[] = [];
    for (const one of users) {
      const user = await this.account(tx, one);
      const avatarKey = avatarKeys.get(one.slug);
      if (avatarKey !== undefined) await this.commands.setAvatar(tx, user, avatarKey);
      if (one.credits !== null) await this.credits.settleBalance(tx, user.id, one.credits);
      made.push({ slug: one.slug, id: this.wire.id('user', user.id), tokens: await this.makeTokens(tx, user.id, one) });
    }
    for (const one of users) if (one.blocks) await this.block(tx, one.slug, one.blocks);
    return made;
  }

  private async account(tx: Transaction, { slug, fields }: AppliedUser): Promise<User> {
    const found = await this.users.lockBySlug(tx, slug);
    if (found) return this.commands.update(tx, found, fields);
    return this.commands.create(tx, slug, { ...fields, name: fields.name ?? slug });
  }

  /** The named tokens are made anew; the account's others stay. */
  private async makeTokens(tx: Transaction, userId: number, { tokens }: AppliedUser): Promise<MadeUser['tokens']> {
    const made: MadeUser['tokens'] = [];
    for (const name of new Set(tokens.map((token) => token.name))) await this.tokens.revokeNamed(tx, userId, name);
    for (const { name, access, expires_at } of tokens) {
      const { secret } = await this.tokens.create(tx, userId, { name, access, expiresAt: expires_at ?? null });
      made.push({ name, token: secret });
    }
    return made;
  }

  private async block(tx: Transaction, slug: string, blocked: readonly string[]): Promise<void> {
    const ids = await Promise.all([slug, ...blocked].map((one) => this.users.idOf(tx, one)));
    const missing = blocked.find((_, i) => ids[i + 1] === null);
    if (missing !== undefined) throw new Mistake(`${slug} blocks ${missing}, but there is no such user.`);
    await this.commands.setBlocked(tx, ids[0] as number, ids.slice(1) as number[]);
  }
}

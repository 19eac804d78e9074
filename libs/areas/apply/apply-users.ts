import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { Mistake } from '#platform/config/mistake';
import { CreditsCommands } from '../credits/credits.commands';
import { AppliedTokenDto } from '../identity/token.dto';
import { TokensCommands, TooManyTokens } from '../identity/tokens.commands';
import { UserDto } from '../identity/user.dto';
import type { User } from '../identity/user.entity';
import { isUserSlug } from '../identity/user.policy';
import { isTaken, UsersCommands } from '../identity/users.commands';
import { UsersReader } from '../identity/users.reader';
import type { AvatarKeys } from './apply-avatars';
import { CreditsDto } from './apply.dto';
import { attempt } from './attempt';
import { type DocumentMistakes, eachOnce, listOf, located, objectOf, readAt, textOf } from './document';

const FIELDS = [
  'name',
  'nickname',
  'email',
  'password',
  'locale',
  'timezone',
  'birth_date',
  'gender',
  'iban',
  'premium_until',
  'verified',
  'admin',
  'moderator',
  'banned',
  'searchable',
  'reminder_hours',
] as const;
const MORE = ['avatar', 'blocks', 'tokens', 'credits'] as const;

/** What a document may say of an account beside its slug, not yet checked. */
export type UserFields = Partial<Record<(typeof FIELDS)[number] | (typeof MORE)[number], unknown>>;

/** Whether there has to be such an account already, or must not be. */
export type Expected = 'new' | 'known' | 'either';

/** One account of the document, checked before anything is written. */
export interface AppliedUser {
  /** `users.0`, or the slug where there is but one. */
  readonly where: string;
  readonly slug: string;
  readonly expected: Expected;
  readonly fields: UserDto;
  readonly blocks: readonly string[] | null;
  readonly tokens: readonly AppliedTokenDto[];
  /** Absolute path of a picture; null takes it away, absent leaves it. */
  readonly avatar?: string | null;
  /** What the balance is to be; null: as it is. */
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
    private readonly wire: WireFormat,
  ) {}

  /** `folder`: what paths of pictures are relative to. */
  readAll(values: readonly unknown[], folder: string, mistakes: DocumentMistakes): AppliedUser[] {
    const users = values.flatMap((value, i) => this.readPart(value, `users.${i}`, folder, mistakes) ?? []);
    mistakes.collect(() =>
      eachOnce(
        users.map(({ slug }) => slug),
        'The users',
      ),
    );
    return users;
  }

  readOne(
    slug: string,
    fields: UserFields,
    expected: Expected,
    folder: string,
    mistakes: DocumentMistakes,
  ): AppliedUser | undefined {
    return this.read(slug, slug, fields, expected, folder, mistakes);
  }

  /** Makes or changes the accounts, then their blocks, so that a document may name people in any order. */
  async write(
    tx: Transaction,
    users: readonly AppliedUser[],
    avatarKeys: AvatarKeys,
    mistakes: DocumentMistakes,
  ): Promise<MadeUser[]> {
    const made: MadeUser[] = [];
    for (const one of users) {
      const user = await attempt(tx, mistakes, () => this.user(tx, one, avatarKeys));
      if (user) made.push(user);
      else mistakes.markUnusable(one.slug);
    }
    for (const one of users) {
      const blocks = one.blocks?.filter((slug) => !mistakes.isUnusable(slug));
      if (blocks && !mistakes.isUnusable(one.slug)) await attempt(tx, mistakes, () => this.block(tx, one, blocks));
    }
    return made;
  }

  private readPart(value: unknown, where: string, folder: string, mistakes: DocumentMistakes): AppliedUser | undefined {
    const before = mistakes.count;
    const slug = slugIn(value);
    const sent = mistakes.collect(() => objectOf(value, ['slug', ...FIELDS, ...MORE], where));
    const { slug: _, ...fields } = sent ?? {};
    if (sent) mistakes.collect(() => textOf(fields.name, `${where}.name`));
    if (sent && slug === null) mistakes.collect(() => textOf(sent.slug, `${where}.slug`));
    const user = sent && slug !== null ? this.read(where, slug, fields, 'either', folder, mistakes) : undefined;
    if (mistakes.count === before) return user;
    if (slug !== null) mistakes.markUnusable(slug);
    return undefined;
  }

  private read(
    where: string,
    slug: string,
    { avatar, blocks, tokens, credits, ...same }: UserFields,
    expected: Expected,
    folder: string,
    mistakes: DocumentMistakes,
  ): AppliedUser | undefined {
    const before = mistakes.count;
    const read = {
      slug: mistakes.collect(() => {
        if (!isUserSlug(slug))
          throw new Mistake(`${where}: a slug has lower-case letters, digits and inner hyphens, at most 60.`);
      }),
      fields: mistakes.collect(() => readAt(UserDto, same, where)),
      blocks: mistakes.collect(() =>
        blocks === undefined
          ? null
          : listOf(blocks, `${where}.blocks`).map((one, i) => textOf(one, `${where}.blocks.${i}`)),
      ),
      tokens: mistakes.collect(() =>
        listOf(tokens, `${where}.tokens`).map((one, i) =>
          readAt(
            AppliedTokenDto,
            objectOf(one, ['name', 'access', 'expires_at'], `${where}.tokens.${i}`),
            `${where}.tokens.${i}`,
          ),
        ),
      ),
      avatar: mistakes.collect(() =>
        avatar === undefined || avatar === null ? avatar : resolve(folder, textOf(avatar, `${where}.avatar`)),
      ),
      credits: mistakes.collect(() => readAt(CreditsDto, { credits }, where).credits ?? null),
    };
    if (mistakes.count > before || !read.fields) return undefined;
    return {
      where,
      slug,
      expected,
      fields: read.fields,
      blocks: read.blocks ?? null,
      tokens: read.tokens ?? [],
      ...(read.avatar !== undefined && { avatar: read.avatar }),
      credits: read.credits ?? null,
    };
  }

  private async user(tx: Transaction, one: AppliedUser, avatarKeys: AvatarKeys): Promise<MadeUser> {
    const user = await this.account(tx, one);
    const avatarKey = one.avatar === null ? null : avatarKeys.get(one.slug);
    if (avatarKey !== undefined) await this.commands.setAvatar(tx, user, avatarKey);
    if (one.credits !== null) await this.credits.settleBalance(tx, user.id, one.credits);
    return { slug: one.slug, id: this.wire.id('user', user.id), tokens: await this.makeTokens(tx, user.id, one) };
  }

  private async account(tx: Transaction, { where, slug, fields, expected }: AppliedUser): Promise<User> {
    const found = await this.users.lockBySlug(tx, slug);
    if (found && expected === 'new') throw new Mistake(`There is a user ${slug} already.`);
    if (!found && expected === 'known') throw new Mistake(`There is no user ${slug}.`);
    const change = found
      ? this.commands.update(tx, found, fields)
      : this.commands.create(tx, slug, { ...fields, name: fields.name ?? slug });
    return change.catch((error: unknown) => {
      if (isTaken(error, 'slug')) throw new Mistake(`There is a user ${slug} already.`);
      throw isTaken(error, 'email')
        ? new Mistake(`${where}.email: somebody else has this address.`)
        : located(error, where);
    });
  }

  /** A named token replaces the account's tokens of that name, which end; the others stay (OPS-21). */
  private async makeTokens(
    tx: Transaction,
    userId: number,
    { where, tokens }: AppliedUser,
  ): Promise<MadeUser['tokens']> {
    const made: MadeUser['tokens'] = [];
    for (const name of new Set(tokens.map((token) => token.name))) await this.tokens.revokeNamed(tx, userId, name);
    for (const { name, access, expires_at } of tokens) {
      const { secret } = await this.tokens
        .create(tx, userId, { name, access, expiresAt: expires_at ?? null })
        .catch((error: unknown) => {
          throw error instanceof TooManyTokens ? new Mistake(`${where}.tokens: ${error.message}`) : error;
        });
      made.push({ name, token: secret });
    }
    return made;
  }

  private async block(tx: Transaction, { where, slug }: AppliedUser, blocked: readonly string[]): Promise<void> {
    if (blocked.includes(slug)) throw new Mistake(`${where}.blocks: nobody blocks themselves.`);
    const ids: (number | null)[] = [];
    for (const one of [slug, ...blocked]) ids.push(await this.users.idOf(tx, one));
    const missing = blocked.find((_, i) => ids[i + 1] === null);
    if (missing !== undefined) throw new Mistake(`${where}.blocks: there is no user ${missing}.`);
    await this.commands.setBlocked(tx, ids[0] as number, ids.slice(1) as number[]);
  }
}

/** The slug that a part of a document names, if it is a text. */
function slugIn(value: unknown): string | null {
  const slug = typeof value === 'object' && value !== null && 'slug' in value ? value.slug : null;
  return typeof slug === 'string' && slug.trim() !== '' ? slug.trim() : null;
}

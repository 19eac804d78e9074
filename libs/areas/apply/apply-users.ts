import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '#platform/database/database';
import { fieldsOf } from '#platform/http/declared-fields';
import { readInput, validateInput } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { OperatorError } from '#platform/config/operator-error';
import { CreditsCommands } from '../credits/credits.commands';
import { AppliedTokenDto } from '../identity/token.dto';
import { accessOf, TokensCommands, TooManyTokens } from '../identity/tokens.commands';
import { UserDto } from '../identity/user.dto';
import type { User } from '../identity/user.entity';
import { isReservedSlug, isUserSlug } from '../identity/user.policy';
import { isTaken, UsersCommands } from '../identity/users.commands';
import { UsersReader } from '../identity/users.reader';
import type { AvatarKeys } from './apply-avatars';
import { CreditsDto } from './apply.dto';
import { attempt } from './attempt';
import { type DocumentErrors, readAt, readObjectAt, withLocation, textOf } from './document';

/** Fields of an account that are not in `UserDto`. Each of them is validated and written separately. */
const SEPARATE_FIELDS = ['avatar', 'blocks', 'tokens', 'credits'] as const;
/** The keys that an account in a document may have. */
const USER_KEYS: readonly string[] = ['slug', ...fieldsOf(UserDto).keys(), ...SEPARATE_FIELDS];

/** The fields of an account in a document, without its slug. The values are not validated yet. */
export type SentUserFields = Partial<Record<keyof UserDto | (typeof SEPARATE_FIELDS)[number], unknown>>;

/** Whether the account must be new, must exist, or may be new or existing. */
export type Expected = 'new' | 'known' | 'either';

/** A validated account of the document. */
export interface AppliedUser {
  /** The position in error messages: `users.0` in a document, or the slug for `user create` and `user update`. */
  readonly where: string;
  readonly slug: string;
  readonly expected: Expected;
  readonly fields: UserDto;
  readonly blocks: readonly string[] | null;
  readonly tokens: readonly AppliedTokenDto[];
  /** Absolute path of a new avatar; null removes the stored avatar, undefined does not change it. */
  readonly avatar?: string | null;
  /** The new balance; null if the balance does not change. */
  readonly credits: number | null;
}

/** The result for one account. */
export interface UserResult {
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

  /** Validates the users of a document. `folder` is the base of relative paths of pictures. */
  async readAll(values: unknown, folder: string, errors: DocumentErrors): Promise<AppliedUser[]> {
    const users = new Map<string, AppliedUser>();
    for (const user of await errors.list(values, 'users', (one, where) => this.readItem(one, where, folder, errors))) {
      if (users.has(user.slug)) errors.report(`${user.where}.slug: the document contains ${user.slug} twice.`);
      else users.set(user.slug, user);
    }
    return [...users.values()];
  }

  /** Validates one account that is not part of a document, for example the account of `user create`. */
  readOne(
    slug: string,
    fields: SentUserFields,
    expected: Expected,
    folder: string,
    errors: DocumentErrors,
  ): Promise<AppliedUser | undefined> {
    return this.readUser(slug || 'slug', slug, fields, expected, folder, errors);
  }

  /**
   * First creates or changes all accounts, and then stores whom each account blocks. A document may therefore list
   * people in any order.
   */
  async write(
    tx: Transaction,
    users: readonly AppliedUser[],
    avatarKeys: AvatarKeys,
    errors: DocumentErrors,
  ): Promise<UserResult[]> {
    const results: UserResult[] = [];
    for (const one of users) {
      const user = await attempt(tx, errors, () => this.writeUser(tx, one, avatarKeys));
      if (user) results.push(user);
      else errors.markUnusable(one.slug);
    }
    for (const one of users) {
      const blocks = one.blocks?.filter((slug) => !errors.isUnusable(slug));
      if (blocks && !errors.isUnusable(one.slug)) await attempt(tx, errors, () => this.block(tx, one, blocks, errors));
    }
    return results;
  }

  private async readItem(
    value: unknown,
    where: string,
    folder: string,
    errors: DocumentErrors,
  ): Promise<AppliedUser | undefined> {
    const before = errors.count;
    const slug = slugOf(value);
    const sent = errors.object(value, USER_KEYS, where);
    const { slug: _, ...fields } = sent ?? {};
    if (sent && fields.name === undefined) errors.report(`${where}.name is required.`);
    if (sent && slug === null) {
      errors.collect(() => textOf(sent.slug, `${where}.slug`));
      if (fields.name !== undefined) errors.collect(() => textOf(fields.name, `${where}.name`));
    }
    const user = sent && slug !== null ? await this.readUser(where, slug, fields, 'either', folder, errors) : undefined;
    if (errors.count === before) return user;
    if (slug !== null) errors.markUnusable(slug);
    return undefined;
  }

  private async readUser(
    where: string,
    slug: string,
    { avatar, blocks, tokens, credits, ...rest }: SentUserFields,
    expected: Expected,
    folder: string,
    errors: DocumentErrors,
  ): Promise<AppliedUser | undefined> {
    const before = errors.count;
    if (!isUserSlug(slug))
      errors.report(
        `${where}: a slug has at most 60 characters: lower-case letters, digits, and hyphens between them.`,
      );
    const read = {
      fields: await errors.collectAsync(() => this.readFields(rest, where)),
      blocks: blocks === undefined ? null : await errors.list(blocks, `${where}.blocks`, textOf),
      tokens: await errors.list(tokens, `${where}.tokens`, (one, at) => appliedToken(one, at, errors)),
      avatar: errors.collect(() =>
        avatar === undefined || avatar === null ? avatar : resolve(folder, textOf(avatar, `${where}.avatar`)),
      ),
      credits: await errors.collectAsync(async () => (await readAt(CreditsDto, { credits }, where)).credits ?? null),
    };
    if (errors.count > before || !read.fields) return undefined;
    return {
      where,
      slug,
      expected,
      fields: read.fields,
      blocks: read.blocks,
      tokens: read.tokens,
      ...(read.avatar !== undefined && { avatar: read.avatar }),
      credits: read.credits ?? null,
    };
  }

  /**
   * Validates the fields of an account. If some fields are invalid, the other fields are still checked against the
   * rules of accounts, so that an operator sees all errors together.
   */
  private async readFields(sent: object, where: string): Promise<UserDto> {
    const { outcome } = await validateInput(UserDto, sent, 'json');
    const invalid = outcome instanceof Refusal ? (outcome.details.errors ?? {}) : {};
    const valid = Object.fromEntries(Object.entries(sent).filter(([field]) => !(field in invalid)));
    const fields = await readInput(UserDto, valid, 'json');
    const { code, details } = this.commands.violationsOf(fields).refusal();
    const errors = { ...invalid, ...details.errors };
    if (Object.keys(errors).length > 0) throw withLocation(new Refusal(code, { errors }), where);
    return fields;
  }

  private async writeUser(tx: Transaction, one: AppliedUser, avatarKeys: AvatarKeys): Promise<UserResult> {
    const user = await this.writeAccount(tx, one);
    const avatarKey = one.avatar === null ? null : avatarKeys.get(one.slug);
    if (avatarKey !== undefined) await this.commands.setAvatar(tx, user, avatarKey);
    if (one.credits !== null) await this.credits.setBalance(tx, user.id, one.credits);
    return { slug: one.slug, id: this.wire.id('user', user.id), tokens: await this.makeTokens(tx, user.id, one) };
  }

  private async writeAccount(tx: Transaction, { where, slug, fields, expected }: AppliedUser): Promise<User> {
    const found = await this.users.lockBySlug(tx, slug);
    if (found && expected === 'new') throw new OperatorError(`There is a user ${slug} already.`);
    if (!found && expected === 'known') throw new OperatorError(`There is no user ${slug}.`);
    if (!found && isReservedSlug(slug))
      throw new OperatorError(`${where}: the slug ${slug} is reserved for deleted accounts.`);
    const change = found
      ? this.commands.update(tx, found, fields)
      : this.commands.create(tx, slug, { ...fields, name: fields.name ?? slug });
    return change.catch((error: unknown) => {
      if (isTaken(error, 'slug')) throw new OperatorError(`There is a user ${slug} already.`);
      throw isTaken(error, 'email')
        ? new OperatorError(`${where}.email: another account has this address.`)
        : withLocation(error, where);
    });
  }

  /**
   * Creates the tokens that the document contains for this account. First revokes the account's existing tokens with
   * the same names. Tokens with other names remain valid (OPS-21).
   */
  private async makeTokens(
    tx: Transaction,
    userId: number,
    { where, tokens }: AppliedUser,
  ): Promise<UserResult['tokens']> {
    const created: UserResult['tokens'] = [];
    for (const name of new Set(tokens.map((token) => token.name))) await this.tokens.revokeNamed(tx, userId, name);
    for (const { name, access, scopes, expires_at } of tokens) {
      const { secret } = await this.tokens
        .create(tx, userId, { name, ...accessOf({ access, scopes }), expiresAt: expires_at ?? null })
        .catch((error: unknown) => {
          throw error instanceof TooManyTokens ? new OperatorError(`${where}.tokens: ${error.message}`) : error;
        });
      created.push({ name, token: secret });
    }
    return created;
  }

  private async block(
    tx: Transaction,
    { where, slug }: AppliedUser,
    blocked: readonly string[],
    errors: DocumentErrors,
  ): Promise<void> {
    const before = errors.count;
    if (blocked.includes(slug)) errors.report(`${where}.blocks: a user cannot block themselves.`);
    const ids: number[] = [];
    for (const blockedSlug of blocked) {
      const id = await this.users.idOf(tx, blockedSlug);
      if (id === null) errors.report(`${where}.blocks: there is no user ${blockedSlug}.`);
      else ids.push(id);
    }
    const userId = await this.users.idOf(tx, slug);
    if (userId !== null && errors.count === before) await this.commands.setBlocked(tx, userId, ids);
  }
}

/** The slug of an item of `users`; null if the slug is not a text or is empty. */
function slugOf(value: unknown): string | null {
  const slug = typeof value === 'object' && value !== null && 'slug' in value ? value.slug : null;
  return typeof slug === 'string' && slug.trim() !== '' ? slug.trim() : null;
}

async function appliedToken(
  value: unknown,
  where: string,
  errors: DocumentErrors,
): Promise<AppliedTokenDto | undefined> {
  const token = await readObjectAt(AppliedTokenDto, value, where, errors);
  try {
    if (token) accessOf(token);
  } catch (error) {
    throw withLocation(error, where);
  }
  return token;
}

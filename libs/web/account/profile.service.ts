import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { OwnPlace, User } from '#areas/identity/user.entity';
import { isReservedSlug, isUserSlug } from '#areas/identity/user.policy';
import { isTaken, UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { LIMITS } from '#contract/limits';
import { Database, type Transaction } from '#platform/database/database';
import { PictureUploads } from '#platform/uploads/picture-uploads';
import { Refusal } from '#platform/http/refusal';
import type { UploadRules } from '#platform/uploads/upload-rules';
import { MediaFiles } from '#platform/media/media-files';
import type { ProfileDto } from './account.dto';

const AVATAR: UploadRules = { files: { avatar: { maxBytes: LIMITS.accounts.avatar_bytes, min: 1 } } };

/**
 * A profile with a place (name and coordinates) instead of a place name. An absent `place` leaves the place unchanged.
 */
type ChangedProfile = Omit<ProfileDto, 'place'> & { readonly place?: OwnPlace | null };

/** Changes of the member's own profile. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersReader,
    private readonly commands: UsersCommands,
    private readonly media: MediaFiles,
    private readonly uploads: PictureUploads,
  ) {}

  /**
   * Stores the profile. An absent nickname, date of birth, gender or IBAN is cleared. Throws 422 if a field is invalid
   * or the slug is reserved or belongs to another account, and 404 if the account no longer exists. `check` gets the
   * locked account before the change.
   */
  async save(userId: number, { slug, ...fields }: ChangedProfile, check: (user: User) => void): Promise<void> {
    if (!isUserSlug(slug)) throw Refusal.invalid('slug', 'user_slug');
    try {
      await this.database.transaction(async (tx) => {
        const user = await this.lock(tx, userId);
        check(user);
        if (slug !== user.slug && isReservedSlug(slug)) throw Refusal.invalid('slug', 'user_slug_taken');
        user.slug = slug;
        await this.commands.update(tx, user, { nickname: null, birth_date: null, gender: null, iban: null, ...fields });
      });
    } catch (error) {
      throw isTaken(error, 'slug') ? Refusal.invalid('slug', 'user_slug_taken') : error;
    }
  }

  /** Stores the picture of the form. Throws 422 on `avatar` if the file is missing or cannot be used as a picture. */
  async saveAvatar(userId: number, request: FastifyRequest): Promise<void> {
    await this.uploads.receive({ request, rules: AVATAR, account: userId }, ([avatar]) =>
      this.database.transaction(async (tx) => {
        if (!avatar) return;
        await this.media.keep(tx, [avatar.key]);
        await this.commands.setAvatar(tx, await this.lock(tx, userId), avatar.key);
      }),
    );
  }

  private async lock(tx: Transaction, userId: number): Promise<User> {
    const user = await this.users.lockById(tx, userId);
    if (!user) throw new Refusal('not_found');
    return user;
  }
}

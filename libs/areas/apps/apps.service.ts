import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/limits';
import { Database, type Transaction } from '#platform/database/database';
import { firstOrNotFound } from '#platform/http/first-or-not-found';
import { Refusal } from '#platform/http/refusal';
import { Violations } from '#platform/http/violations';
import { MediaFiles } from '#platform/media/media-files';
import { Signals } from '#platform/signals/signals';
import { isDeceptive } from '#platform/text/characters';
import { Clock } from '#platform/time/clock';
import { PictureUploads } from '#platform/uploads/picture-uploads';
import type { UploadRules } from '#platform/uploads/upload-rules';
import { hashSecret } from '#platform/text/hash-secret';
import { lockAccount } from '../identity/users.reader';
import type { AppDto, NewAppDto } from './app.dto';
import { deleteApps } from './app-removal.commands';
import {
  COUNT_OWN_APPS,
  INSERT_APP,
  LOCK_OWN_APP,
  OWN_APP,
  OWN_APPS,
  ROTATE_APP_SECRET,
  SET_ICON,
  UPDATE_APP,
  type AppRow,
} from './app.query';
import { redirectTarget } from './redirect-addresses';
import { newClientId, newClientSecret } from './secrets';

const { apps } = LIMITS;
/** The rules for the icon of a new app; the icon is optional. */
export const APP_ICON = { icon: { maxBytes: apps.icon_bytes } } satisfies UploadRules['files'];
const ICON: UploadRules = { files: { icon: { ...APP_ICON.icon, min: 1 } } };

/** The account already has the maximum number of apps. */
export class TooManyApps extends Error {}

/**
 * A new app with its secret in plain text. Only the hash of the secret is stored. The secret of a public app is null.
 */
export interface CreatedApp {
  readonly app: AppRow;
  readonly secret: string | null;
}

/**
 * A developer's own apps (APP-1 to APP-3). A method that takes the id of an app throws 404 for an app of another
 * developer.
 */
@Injectable()
export class AppsService {
  constructor(
    private readonly database: Database,
    private readonly media: MediaFiles,
    private readonly uploads: PictureUploads,
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  /** The developer's apps, the oldest first. */
  list(userId: number): Promise<AppRow[]> {
    return this.database.rows<AppRow>(OWN_APPS, [userId]);
  }

  async one(userId: number, id: number): Promise<AppRow> {
    return firstOrNotFound(await this.database.rows<AppRow>(OWN_APP, [userId, id]));
  }

  /**
   * Creates an app. Throws 422 if a field is invalid, and TooManyApps if the account already has ten apps. Concurrent
   * calls cannot exceed this limit. `iconKey`: the key of the stored icon.
   */
  async create(userId: number, form: NewAppDto, iconKey?: string): Promise<CreatedApp> {
    const addresses = redirectAddressesOf(form);
    const isConfidential = form.type === 'confidential';
    const secret = isConfidential ? newClientSecret() : null;
    return this.database.transaction(async (tx) => {
      await lockAccount(tx, userId);
      const [count] = await tx.rows<{ total: number }>(COUNT_OWN_APPS, [userId]);
      if ((count?.total ?? 0) >= apps.per_account) throw new TooManyApps();
      const app = firstOrNotFound(
        await tx.rows<AppRow>(INSERT_APP, [
          newClientId(),
          'developer',
          userId,
          form.name,
          form.homepage ?? null,
          addresses,
          isConfidential,
          secret === null ? null : hashSecret(secret),
          this.clock.now(),
        ]),
      );
      if (iconKey !== undefined) await this.storeIcon(tx, app, iconKey);
      return { app, secret };
    });
  }

  /** Changes the fields of the app. `check` gets the locked app before the change; if it throws, nothing is changed. */
  async change(userId: number, id: number, form: AppDto, check: (app: AppRow) => void): Promise<void> {
    const addresses = redirectAddressesOf(form);
    await this.withLockedApp(userId, id, async (tx, app) => {
      check(app);
      await tx.rows(UPDATE_APP, [app.id, form.name, form.homepage ?? null, addresses, this.clock.now()]);
    });
  }

  /** Replaces the icon of the app. Throws 422 on `icon` if the picture is missing or invalid. */
  async setIcon(userId: number, id: number, request: FastifyRequest): Promise<void> {
    await this.one(userId, id);
    await this.uploads.receive({ request, rules: ICON, account: userId }, ([icon]) =>
      this.withLockedApp(userId, id, async (tx, app) => {
        if (!icon) return;
        await this.storeIcon(tx, app, icon.key);
        if (app.icon_key !== null) await this.media.markForDeletion(tx, [app.icon_key]);
      }),
    );
  }

  /**
   * Replaces the secret and returns the new secret. The former secret is accepted for one more day. Throws 404 for a
   * public app.
   */
  async rotate(userId: number, id: number): Promise<string> {
    const secret = newClientSecret();
    await this.withLockedApp(userId, id, async (tx, app) => {
      if (!app.is_confidential) throw new Refusal('not_found');
      const now = this.clock.now();
      const until = new Date(now.getTime() + apps.former_secret * 1000);
      await tx.rows(ROTATE_APP_SECRET, [app.id, hashSecret(secret), until, now]);
    });
    return secret;
  }

  /** Deletes the app with all its grants and its icon. */
  async remove(userId: number, id: number): Promise<void> {
    await this.withLockedApp(userId, id, async (tx, app) => {
      await deleteApps(tx, this.signals, [app.id]);
      if (app.icon_key !== null) await this.media.markForDeletion(tx, [app.icon_key]);
    });
  }

  private async storeIcon(tx: Transaction, { id }: AppRow, key: string): Promise<void> {
    await this.media.keep(tx, [key]);
    await tx.rows(SET_ICON, [id, key, this.clock.now()]);
  }

  private async withLockedApp(
    userId: number,
    id: number,
    work: (tx: Transaction, app: AppRow) => Promise<unknown>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await work(tx, firstOrNotFound(await tx.rows<AppRow>(LOCK_OWN_APP, [userId, id])));
    });
  }
}

/** The redirect addresses of the form. Throws 422 if the addresses or the name are invalid. */
function redirectAddressesOf({ name, redirect_uris }: AppDto): string[] {
  const addresses = [...new Set(redirect_uris.split(/\r?\n/).map((line) => line.trim()))].filter((line) => line !== '');
  const errors = new Violations();
  const { min, max } = apps.redirect_uris;
  if (isDeceptive(name)) errors.add('name', 'deceptive_characters');
  if (addresses.length < min || addresses.length > max) errors.add('redirect_uris', 'redirect_addresses', { min, max });
  const invalid = addresses.find((one) => one.length > apps.redirect_uri.max || redirectTarget(one) === null);
  if (invalid !== undefined) errors.add('redirect_uris', 'redirect_address', { address: invalid.slice(0, 80) });
  errors.throwIfAny();
  return addresses;
}

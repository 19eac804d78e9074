import { randomBytes } from 'node:crypto';
import { constants, createWriteStream, existsSync } from 'node:fs';
import { copyFile, link, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '#platform/audit/audit-log';
import { diskError } from '#platform/backup/backup';
import { OperatorError } from '#platform/config/operator-error';
import { Database } from '#platform/database/database';
import { WireFormat } from '#platform/http/wire-format';
import { UsersReader } from '../identity/users.reader';
import { Eraser } from './erasure/eraser';
import { Exporter } from './export/exporter';

/** Exports or erases a person's data for an operator. The erasure has no waiting period. */
@Injectable()
export class OwnDataCommands {
  constructor(
    private readonly database: Database,
    private readonly users: UsersReader,
    private readonly exporter: Exporter,
    private readonly eraser: Eraser,
    private readonly audit: AuditLog,
    private readonly wire: WireFormat,
  ) {}

  /**
   * Erases an account immediately. The audit log identifies the erased account only by its id (DATA-18).
   * @throws OperatorError for an unknown slug, also if the account was erased after the slug was looked up
   */
  async erase(slug: string): Promise<void> {
    const user = await this.users.bySlug(slug);
    const publicId = user && this.wire.id('user', user.id);
    const erased =
      user &&
      (await this.eraser.erase(user.id, {
        afterErasure: (tx) =>
          this.audit.record(tx, { actorId: null, action: 'user erase', subject: `user ${publicId}` }),
      }));
    if (!erased) throw new OperatorError(`There is nobody with the slug ${slug}.`);
  }

  /**
   * Writes the archive of a person's data to the new file `path`, and records the export in the audit log. If the
   * export fails, no file remains (DATA-7).
   * @returns the size of the archive in bytes
   * @throws OperatorError if the slug is unknown, or if `path` exists or cannot be written
   */
  async export(slug: string, path: string): Promise<{ readonly bytes: number }> {
    if (existsSync(path)) throw new OperatorError(`${path} already exists.`);
    const user = await this.users.bySlug(slug);
    if (!user) throw new OperatorError(`There is nobody with the slug ${slug}.`);
    const partPath = `${path}.${randomBytes(6).toString('hex')}.part`;
    try {
      await pipeline(
        this.exporter.archive(user, async () => undefined),
        createWriteStream(partPath, { flags: 'wx', mode: 0o600, flush: true }),
      );
      // The audit entry is written before the file gets its name, so that no export exists without an entry.
      await this.database.transaction((tx) =>
        this.audit.record(tx, { actorId: null, action: 'user export', subject: `user ${slug}` }),
      );
      await linkOrCopy(partPath, path);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EEXIST') throw new OperatorError(`${path} already exists.`);
      if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR')
        throw new OperatorError(`${path} cannot be written: ${(error as Error).message}`);
      throw diskError(`${path} cannot be written`, error);
    } finally {
      // If a part of the path is a file, `rm` fails although there is nothing to remove.
      await rm(partPath, { force: true }).catch(() => undefined);
    }
    return { bytes: (await stat(path)).size };
  }
}

/**
 * Gives the finished file `partPath` the additional name `path`; the calling code deletes the old name. Never
 * overwrites a file. On a file system with hard links, the complete file appears at once. On other file systems, the
 * file is copied.
 */
async function linkOrCopy(partPath: string, path: string): Promise<void> {
  try {
    await link(partPath, path);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as { code?: string }).code ?? '')) throw error;
    await copyFile(partPath, path, constants.COPYFILE_EXCL);
  }
}

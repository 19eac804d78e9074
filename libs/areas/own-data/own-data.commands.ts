import { randomBytes } from 'node:crypto';
import { constants, createWriteStream, existsSync } from 'node:fs';
import { copyFile, link, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '#platform/audit/audit-log';
import { OperatorError } from '#platform/config/operator-error';
import { WireFormat } from '#platform/http/wire-format';
import { UsersReader } from '../identity/users.reader';
import { Eraser } from './erasure/eraser';
import { Exporter } from './export/exporter';

/** Operators' immediate export and erasure. */
@Injectable()
export class OwnDataCommands {
  constructor(
    private readonly users: UsersReader,
    private readonly exporter: Exporter,
    private readonly eraser: Eraser,
    private readonly audit: AuditLog,
    private readonly wire: WireFormat,
  ) {}

  /**
   * Erases an account immediately. The log records the erasure only with the number of the account (DATA-18).
   * @throws OperatorError for an unknown slug
   */
  async erase(slug: string): Promise<void> {
    const user = await this.users.bySlug(slug);
    const named = user && this.wire.id('user', user.id);
    const erased =
      user &&
      (await this.eraser.erase(user.id, {
        alsoThen: (tx) => this.audit.record(tx, { actorId: null, action: 'user erase', subject: `user ${named}` }),
      }));
    if (!erased) throw new OperatorError(`There is nobody with the slug ${slug}.`);
  }

  /**
   * Writes the archive of a person's data to `path`, which must not exist. After a failure there is no file (DATA-7).
   * @returns its size in bytes
   * @throws OperatorError for an unknown slug, or an existing `path`
   */
  async export(slug: string, path: string): Promise<{ readonly bytes: number }> {
    if (existsSync(path)) throw new OperatorError(`${path} is there already.`);
    const user = await this.users.bySlug(slug);
    if (!user) throw new OperatorError(`There is nobody with the slug ${slug}.`);
    const part = `${path}.${randomBytes(6).toString('hex')}.part`;
    try {
      await pipeline(
        this.exporter.archive(user, async () => undefined),
        createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
      );
      await place(part, path);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EEXIST') throw new OperatorError(`${path} is there already.`);
      if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR')
        throw new OperatorError(`${path} cannot be written: ${(error as Error).message}`);
      throw error;
    } finally {
      await rm(part, { force: true });
    }
    return { bytes: (await stat(path)).size };
  }
}

/**
 * Moves the finished file to `path` without overwriting. Atomic, except on a file system without links, where the file
 * is copied.
 */
async function place(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as { code?: string }).code ?? '')) throw error;
    await copyFile(part, path, constants.COPYFILE_EXCL);
  }
}

import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { Storage } from '#platform/storage/storage';
import { Clock } from '#platform/time/clock';
import { REQUEST_EXPORT, EXPORT_OF, RELEASE_EXPORT, type ExportRow } from './data-exports.query';

/** State of a user's export. */
export interface ExportState {
  readonly status: 'pending' | 'ready' | 'failed';
  /** The number of finished files. `total` is the number of all files that are known so far. Both are 0 at first. */
  readonly done: number;
  readonly total: number;
  /** The size of the archive; null unless the export is ready. */
  readonly bytes: number | null;
  readonly askedAt: Date;
  /** When the export expires; null while the export is pending. */
  readonly expiresAt: Date | null;
}

const NAME_BYTES = 20;

/**
 * Exports of people's own data, at most one for each person. A person requests an export, and the job `data-exports`
 * creates it (DATA-4, DATA-5).
 */
@Injectable()
export class DataExports {
  constructor(
    private readonly database: Database,
    private readonly storage: Storage,
    private readonly clock: Clock,
  ) {}

  /** Requests a new export. It replaces a finished or failed export. Has no effect while an export is in progress. */
  async request(userId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.rows(RELEASE_EXPORT, [userId]);
      await tx.rows(REQUEST_EXPORT, [
        userId,
        `export-${randomBytes(NAME_BYTES).toString('hex')}.zip`,
        this.clock.now(),
      ]);
    });
  }

  /** The state of the user's export; null if no export was requested or the export has expired. */
  async stateOf(userId: number): Promise<ExportState | null> {
    const row = await this.row(userId);
    if (!row) return null;
    const { status, done, total, bytes, asked_at, expires_at } = row;
    return {
      status,
      done,
      total,
      bytes: bytes === null ? null : Number(bytes),
      askedAt: asked_at,
      expiresAt: expires_at,
    };
  }

  /**
   * The archive with this user's data; null if the user has no finished export, the export has expired, or its file is
   * missing.
   */
  async open(userId: number): Promise<{ readonly content: Readable; readonly bytes: number } | null> {
    const row = await this.row(userId);
    const content = row?.status === 'ready' ? await this.storage.read(row.file) : null;
    return content && { content, bytes: Number(row?.bytes) };
  }

  private async row(userId: number): Promise<ExportRow | null> {
    const [row] = await this.database.rows<ExportRow>(EXPORT_OF, [userId, this.clock.now()]);
    return row ?? null;
  }
}

import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Database } from '#platform/database/database';
import { Storage } from '#platform/storage/storage';
import { Clock } from '#platform/time/clock';
import { ASK_FOR_EXPORT, EXPORT_OF, RELEASE_EXPORT, type ExportRow } from './data-exports.query';

/** How an export stands that somebody has asked for. */
export interface ExportState {
  readonly status: 'pending' | 'ready' | 'failed';
  /** Files of the archive that are made, of all that are known by now; 0 of 0 before it is begun. */
  readonly done: number;
  readonly total: number;
  /** Of the archive, once it is ready. */
  readonly bytes: number | null;
  readonly askedAt: Date;
  /** Until when it is there, once it is ready. */
  readonly expiresAt: Date | null;
}

const NAME_BYTES = 20;

/** Exports that people ask for themselves: one each, made by the job `data-exports` (DATA-4, DATA-5). */
@Injectable()
export class DataExports {
  constructor(
    private readonly database: Database,
    private readonly storage: Storage,
    private readonly clock: Clock,
  ) {}

  /** A new one in place of the last; while one is made nothing happens. */
  async ask(userId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.rows(RELEASE_EXPORT, [userId]);
      await tx.rows(ASK_FOR_EXPORT, [
        userId,
        `export-${randomBytes(NAME_BYTES).toString('hex')}.zip`,
        this.clock.now(),
      ]);
    });
  }

  /** Null: none was asked for, or it is over. */
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

  /** The archive, for its owner alone; null when there is none. */
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

import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Scratch } from '../media/scratch';
import { Input, type Notation } from '../http/input';
import { unreadable } from '../http/json-body';
import { BodyGate } from './body-gate';
import { announcedBytes, readForm, type SpooledFile } from './multipart';
import { Refusal } from '../http/refusal';
import { refuseUnknownNames } from '../http/strict';
import type { UploadRules } from './upload-rules';

/**
 * A body that has not been read: the use case decides when to receive it. A controller gets it by `@UploadBody(RULES)`.
 */
export interface PendingUpload<T extends object = object> {
  readonly request: FastifyRequest;
  readonly rules: UploadRules<T>;
  /** The sender's account, for requests without a `caller` (a page's session). */
  readonly account?: number;
  /**
   * Receives every text of the form, declared or not, also those before a file that is refused: a page shows them
   * again.
   */
  readonly texts?: Record<string, string | string[]>;
}

/** A route without text fields. */
class NoFields {}

/** A received body: its files on the disk, and its text fields. */
export class Upload<T extends object = object> {
  constructor(
    /** In the order of their arrival. */
    readonly files: readonly SpooledFile[],
    private readonly fields: Input<T>,
  ) {}

  /** The file of a field for a single file; null if absent. */
  file(name: string): SpooledFile | null {
    return this.files.find((file) => file.name === name) ?? null;
  }

  /** The validated text fields; throws 422 like `Input.read`. */
  read(): T {
    return this.fields.read();
  }
}

/** Receives files from users: many bodies at once, few per account and address (body-gate.ts). */
@Injectable()
export class Uploads {
  private readonly gate = new BodyGate();

  constructor(private readonly scratch: Scratch) {}

  /**
   * Receives the body and runs the work with it. The files are deleted afterwards in any case, so the work must store
   * those to be kept.
   * @throws Refusal 422 on a field or `body`, 413 above the hard cap, 408 if it is too slow
   * @throws ServiceBusy if the same sender sends too much at once, or the disk has no room for it
   */
  receive<T extends object, R>(pending: PendingUpload<T>, work: (upload: Upload<T>) => Promise<R>): Promise<R> {
    const { request, rules } = pending;
    refuseUnknownNames(request);
    return request.isMultipart() ? this.receiveForm(pending, work) : withoutForm(request, rules).then(work);
  }

  private receiveForm<T extends object, R>(
    { request, rules, account, texts: all }: PendingUpload<T>,
    work: (upload: Upload<T>) => Promise<R>,
  ): Promise<R> {
    const sender = { account: account ?? request.caller?.id ?? null, address: request.ip };
    const read = (folder: string) =>
      this.scratch.reserving(announcedBytes(request, rules), (room) => readForm(request, rules, folder, room, all));
    return this.scratch.during(async (folder) => {
      const { texts, files } = await this.gate.run(sender, () => read(folder), leaving(request.raw));
      return work(new Upload(files, await fieldsOf(rules, texts, 'text')));
    });
  }
}

/** Aborted with an unreadable-body refusal when the sender disconnects before its turn. */
function leaving(body: FastifyRequest['raw']): AbortSignal {
  const left = new AbortController();
  const leave = () => left.abort(unreadable());
  if (body.destroyed) leave();
  else body.once('close', leave);
  return left.signal;
}

function fieldsOf<T extends object>({ fields }: UploadRules<T>, raw: unknown, notation: Notation): Promise<Input<T>> {
  return Input.of(fields ?? (NoFields as new () => T), raw, notation);
}

async function withoutForm<T extends object>(request: FastifyRequest, rules: UploadRules<T>): Promise<Upload<T>> {
  if (rules.orJson) return new Upload([], await fieldsOf(rules, request.body, 'json'));
  const required = Object.entries(rules.files).find(([, { min }]) => min === 1);
  throw required ? Refusal.invalid(required[0], 'file') : unreadable();
}

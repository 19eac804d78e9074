import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Scratch } from '../media/scratch';
import type { Notation } from '../http/field-rule';
import { readInput } from '../http/input';
import { unreadable } from '../http/json-body';
import { BodyGate } from './body-gate';
import { announcedBytes, readForm, type SpooledFile } from './multipart';
import { Refusal } from '../http/refusal';
import { refuseUnknownNames } from '../http/strict';
import type { UploadRules } from './upload-rules';

/** A body that still is on its way: the use case says when to receive it. A controller gets it by `@UploadBody(RULES)`. */
export interface PendingUpload<T extends object = object> {
  readonly request: FastifyRequest;
  readonly rules: UploadRules<T>;
  /** Whose body it is, where the request has no `caller` (a page's session). */
  readonly account?: number;
}

/** A route without text fields. */
class NoFields {}

/** What was received: files on the disk, texts not yet validated. */
export class Upload<T extends object = object> {
  constructor(
    private readonly rules: UploadRules<T>,
    /** In the order of their coming. */
    readonly files: readonly SpooledFile[],
    private readonly raw: unknown,
    private readonly notation: Notation,
  ) {}

  /** The file of a name that takes one, null when it was left out. */
  file(name: string): SpooledFile | null {
    return this.files.find((file) => file.name === name) ?? null;
  }

  /** The validated text fields; throws 422 as `Input.read` does. */
  read(): T {
    return readInput(this.rules.fields ?? (NoFields as new () => T), this.raw, this.notation);
  }
}

/** Receives files from people: many bodies at once, few of one account and of one address (body-gate.ts). */
@Injectable()
export class Uploads {
  private readonly gate = new BodyGate();

  constructor(private readonly scratch: Scratch) {}

  /**
   * Receives the body and does the work with it. The files are gone afterwards, whatever happens, so the work stores
   * what it wants to keep.
   * @throws Refusal 422 on a field or `body`, 413 above the hard cap, 408 when it comes too slowly
   * @throws ServiceBusy when the same sender sends too much at once, or the disk has no room for it
   */
  receive<T extends object, R>(pending: PendingUpload<T>, work: (upload: Upload<T>) => Promise<R>): Promise<R> {
    const { request, rules } = pending;
    refuseUnknownNames(request);
    return request.isMultipart() ? this.receiveForm(pending, work) : work(withoutForm(request, rules));
  }

  private receiveForm<T extends object, R>(
    { request, rules, account }: PendingUpload<T>,
    work: (upload: Upload<T>) => Promise<R>,
  ): Promise<R> {
    const sender = { account: account ?? request.caller?.id ?? null, address: request.ip };
    const read = (folder: string) =>
      this.scratch.reserving(announcedBytes(request, rules), (room) => readForm(request, rules, folder, room));
    return this.scratch.during(async (folder) => {
      const { texts, files } = await this.gate.run(sender, () => read(folder), leaving(request.raw));
      return work(new Upload(rules, files, texts, 'text'));
    });
  }
}

/** Aborted, as a body that cannot be read, when the sender goes before it was their turn. */
function leaving(body: FastifyRequest['raw']): AbortSignal {
  const left = new AbortController();
  const leave = () => left.abort(unreadable());
  if (body.destroyed) leave();
  else body.once('close', leave);
  return left.signal;
}

function withoutForm<T extends object>(request: FastifyRequest, rules: UploadRules<T>): Upload<T> {
  if (rules.orJson) return new Upload(rules, [], request.body, 'json');
  const required = Object.entries(rules.files).find(([, { min }]) => min === 1);
  throw required ? Refusal.invalid(required[0], 'file') : unreadable();
}

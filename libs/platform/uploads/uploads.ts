import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Scratch } from '../media/scratch';
import { Input, type InputFormat } from '../http/input';
import { unreadable } from '../http/json-body';
import { BodyGate } from './body-gate';
import { announcedBytes, readForm, type SpooledFile } from './multipart';
import { Refusal } from '../http/refusal';
import { refuseUnknownNames } from '../http/strict';
import type { UploadRules } from './upload-rules';

/**
 * A body that has not been read. The use case decides when to receive the body. A controller gets a `PendingUpload` by
 * `@UploadBody(RULES)`.
 */
export interface PendingUpload<T extends object = object> {
  readonly request: FastifyRequest;
  readonly rules: UploadRules<T>;
  /** The sender's account, if the request has no `caller` because it comes from a page. */
  readonly account?: number;
  /**
   * If this object is set, every text of the form is added to it, even an undeclared text, and even after a file of the
   * form was refused. A page needs the texts, because it shows the form again.
   */
  readonly texts?: Record<string, string | string[]>;
}

/** The DTO of a route without text fields. */
class NoFields {}

/** A received body: its files on the disk, and its text fields (or the fields of a JSON body). */
export class Upload<T extends object = object> {
  constructor(
    /** The files in the order of their arrival. */
    readonly files: readonly SpooledFile[],
    private readonly fields: Input<T>,
  ) {}

  /** The file that was sent in the field `name`, which accepts one file. Null if no file was sent. */
  file(name: string): SpooledFile | null {
    return this.files.find((file) => file.name === name) ?? null;
  }

  /** The validated text fields; throws 422 like `Input.read`. */
  read(): T {
    return this.fields.read();
  }
}

/**
 * Receives files from users. The number of forms that are received in parallel is limited per account, per network and
 * in total (body-gate.ts).
 */
@Injectable()
export class Uploads {
  private readonly gate = new BodyGate();

  constructor(private readonly scratch: Scratch) {}

  /**
   * Receives the body and runs the work with it. The files are always deleted afterwards, so the work must store the
   * files that are needed later.
   *
   * @throws Refusal 422 on a field or `body`, 413 above the route's maximum, 408 if the body is too slow
   *
   * @throws ServiceBusy if too many bodies wait already, if this body waits too long in a queue (`BodyGate`), or if the
   * disk has no space for this body
   */
  receive<T extends object, R>(pending: PendingUpload<T>, work: (upload: Upload<T>) => Promise<R>): Promise<R> {
    const { request, rules } = pending;
    refuseUnknownNames(request);
    return request.isMultipart() ? this.receiveForm(pending, work) : uploadWithoutForm(request, rules).then(work);
  }

  private receiveForm<T extends object, R>(
    { request, rules, account, texts: allTexts }: PendingUpload<T>,
    work: (upload: Upload<T>) => Promise<R>,
  ): Promise<R> {
    const sender = { account: account ?? request.caller?.id ?? null, address: request.ip };
    const read = (folder: string) =>
      this.scratch.reserving(announcedBytes(request, rules), (reservation) =>
        readForm(request, rules, folder, reservation, allTexts),
      );
    return this.scratch.during(async (folder) => {
      const { texts, files } = await this.gate.run(sender, () => read(folder), abortedOnDisconnect(request.raw));
      return work(new Upload(files, await fieldsOf(rules, texts, 'text')));
    });
  }
}

/** Returns a signal that is aborted when the sender disconnects. Its reason is the refusal of an unreadable body. */
function abortedOnDisconnect(body: FastifyRequest['raw']): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(unreadable());
  if (body.destroyed) abort();
  else body.once('close', abort);
  return controller.signal;
}

function fieldsOf<T extends object>({ fields }: UploadRules<T>, raw: unknown, format: InputFormat): Promise<Input<T>> {
  return Input.of(fields ?? (NoFields as new () => T), raw, format);
}

async function uploadWithoutForm<T extends object>(request: FastifyRequest, rules: UploadRules<T>): Promise<Upload<T>> {
  if (rules.orJson) return new Upload([], await fieldsOf(rules, request.body, 'json'));
  const required = Object.entries(rules.files).find(([, { min }]) => min === 1);
  throw required ? Refusal.invalid(required[0], 'file') : unreadable();
}

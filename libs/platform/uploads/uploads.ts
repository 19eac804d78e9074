import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Scratch } from '../media/scratch';
import { Slots } from '../media/slots';
import type { Notation } from '../http/field-rule';
import { readInput } from '../http/input';
import { unreadable } from '../http/json-body';
import { readForm, type SpooledFile } from './multipart';
import { Refusal } from '../http/refusal';
import type { UploadRules } from './upload-rules';

/** A body that still is on its way: the use case says when to receive it. A controller gets it by `@UploadBody(RULES)`. */
export interface PendingUpload<T extends object = object> {
  readonly request: FastifyRequest;
  readonly rules: UploadRules<T>;
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

/** Receives files from people: four requests at a time, the others wait a little. */
@Injectable()
export class Uploads {
  private readonly receiving = new Slots({ capacity: 4, queue: 100, wait: 30 });

  constructor(private readonly scratch: Scratch) {}

  /**
   * Receives the body and does the work with it. The files are gone afterwards, whatever happens, so the work stores
   * what it wants to keep.
   * @throws Refusal 422 on a field or `body`, 413 above the hard cap
   * @throws ServiceBusy when too many others are sending
   */
  receive<T extends object, R>(pending: PendingUpload<T>, work: (upload: Upload<T>) => Promise<R>): Promise<R> {
    const { request, rules } = pending;
    return request.isMultipart() ? this.receiveForm(pending, work) : work(withoutForm(request, rules));
  }

  private receiveForm<T extends object, R>({ request, rules }: PendingUpload<T>, work: (upload: Upload<T>) => Promise<R>): Promise<R> {
    return this.scratch.during(async (folder) => {
      const { texts, files } = await this.receiving.run(() => readForm(request, rules, folder));
      return work(new Upload(rules, files, texts, 'text'));
    });
  }
}

function withoutForm<T extends object>(request: FastifyRequest, rules: UploadRules<T>): Upload<T> {
  if (rules.orJson) return new Upload(rules, [], request.body, 'json');
  const required = Object.entries(rules.files).find(([, { min }]) => min === 1);
  throw required ? Refusal.invalid(required[0], 'file') : unreadable();
}

import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RefusalCode } from '#contract/refusals';
import { MediaFiles, type Stored } from '#platform/media/media-files';
import { Pictures, type Picture } from '#platform/media/pictures';
import type { SpooledFile } from '#platform/uploads/multipart';
import { Uploads } from '#platform/uploads/uploads';
import type { Member } from '../page.decorators';
import type { Redirect } from '../redirect';
import type { View } from '../view';
import { FormKeys } from './form-keys';
import { formRefusal, type FormRefusal } from './form-refusal';
import { wantsPage } from '#platform/http/error-pages';
import { rawFields, type RawFields } from './raw-fields';

/** The processing of one form: its action, and the page to show after a refusal. */
export interface FormHandler {
  /** Calls the use case of the API with the fields, and with the pictures if the form has files. */
  readonly action: (
    raw: RawFields,
    pictures: readonly Stored<Picture>[],
    /** The picture of a file field; undefined if no picture was chosen. */
    pictureOf: (field: string) => Stored<Picture> | undefined,
  ) => Promise<Redirect>;
  /**
   * For forms with files that are not pictures. Replaces `action` if the form is sent as multipart. Receives the files
   * themselves.
   */
  readonly actionWithFiles?: (raw: RawFields, file: (field: string) => SpooledFile | null) => Promise<Redirect>;
  /**
   * Throws if the person may not use the form. It is called after any failure, and its refusal replaces the failure,
   * because the API checks rights before files.
   */
  readonly permit?: () => Promise<unknown>;
  /**
   * Codes of PAGE_CODES (form-refusal.ts) whose refusals this form shows itself, for example because they concern the
   * typed values. A refusal with any other code of PAGE_CODES gets an error page.
   */
  readonly formCodes?: readonly RefusalCode[];
  /** Shows the page again after a refusal. The headers of the refusal (`Retry-After`) are added to the response. */
  readonly show: (refusal: FormRefusal) => View | Promise<View>;
}

/**
 * Processes a form of a member: reads the fields, validates the files, calls the use case, and shows the form again
 * after a refusal. A form with a hidden key (`newKey`) takes effect only once. The pictures are stored before the use
 * case runs, because the transaction of the use case refers to the pictures. If the use case fails, the pictures are
 * deleted.
 */
@Injectable()
export class FormRunner {
  constructor(
    private readonly keys: FormKeys,
    private readonly uploads: Uploads,
    private readonly pictures: Pictures,
    private readonly media: MediaFiles,
  ) {}

  async run(member: Member, request: FastifyRequest, form: FormHandler): Promise<View | Redirect> {
    const { action, actionWithFiles, permit, formCodes, show } = form;
    const isUpload = request.isMultipart();
    let hadFiles = isUpload;
    const texts = Object.create(null) as Record<string, string | string[]>;
    const { uploadRules: rules } = request.routeOptions.config;
    try {
      if (!rules || !isUpload) {
        const raw = rawFields(request.body);
        return await this.keys.once(request, member.user.id, raw, () => action(raw, [], () => undefined));
      }
      return await this.uploads.receive({ request, rules, account: member.user.id, texts }, (upload) => {
        const raw = rawFields(texts);
        hadFiles = upload.files.length > 0;
        return this.keys.once(request, member.user.id, raw, async () => {
          if (actionWithFiles) return actionWithFiles(raw, (field) => upload.file(field));
          const pictures = await this.pictures.makeAll(upload.files);
          return this.media.withStored(pictures, (stored) =>
            action(raw, stored, (field) => stored[upload.files.findIndex(({ name }) => name === field)]),
          );
        });
      });
    } catch (thrown) {
      const error = await rightsFirst(thrown, permit);
      if (!wantsPage(request)) throw error;
      const raw = rawFields(isUpload ? texts : request.body);
      const refusal = formRefusal(error, raw, member.locale, hadFiles, formCodes);
      return (await show(refusal)).withHeaders(refusal.headers);
    }
  }
}

/** Returns the refusal of `permit` if there is one, else `error`. */
async function rightsFirst(error: unknown, permit: FormHandler['permit']): Promise<unknown> {
  try {
    await permit?.();
    return error;
  } catch (denied) {
    return denied;
  }
}

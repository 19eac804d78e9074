import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RefusalCode } from '#contract/refusals';
import { MediaFiles, type Stored } from '#platform/media/media-files';
import { Pictures, type Picture } from '#platform/media/pictures';
import type { SpooledFile } from '#platform/uploads/multipart';
import { Uploads, type Upload } from '#platform/uploads/uploads';
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

/** The processing of a form whose response is a page and not a redirect. */
export interface ViewFormHandler extends Pick<FormHandler, 'show'> {
  /** Receives the file of a field; null if no file was chosen. */
  readonly action: (raw: RawFields, file: (field: string) => SpooledFile | null) => Promise<View>;
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

  run(member: Member, request: FastifyRequest, form: FormHandler): Promise<View | Redirect> {
    const { action, actionWithFiles } = form;
    const once = (raw: RawFields, act: () => Promise<Redirect>) => this.keys.once(request, member.user.id, raw, act);
    return this.process(
      member,
      request,
      form,
      (raw) => once(raw, () => action(raw, [], () => undefined)),
      (raw, upload) =>
        once(raw, async () => {
          if (actionWithFiles) return actionWithFiles(raw, (field) => upload.file(field));
          const pictures = await this.pictures.makeAll(upload.files);
          return this.media.withStored(pictures, (stored) =>
            action(raw, stored, (field) => stored[upload.files.findIndex(({ name }) => name === field)]),
          );
        }),
    );
  }

  /** Like `run`, for a form without a key whose response is a page. */
  runToView(member: Member, request: FastifyRequest, { action, show }: ViewFormHandler): Promise<View> {
    return this.process(
      member,
      request,
      { show },
      (raw) => action(raw, () => null),
      (raw, upload) => action(raw, (field) => upload.file(field)),
    );
  }

  private async process<Result>(
    member: Member,
    request: FastifyRequest,
    { permit, formCodes, show }: Pick<FormHandler, 'permit' | 'formCodes' | 'show'>,
    act: (raw: RawFields) => Promise<Result>,
    actWithFiles: (raw: RawFields, upload: Upload) => Promise<Result>,
  ): Promise<Result | View> {
    const isUpload = request.isMultipart();
    let hadFiles = isUpload;
    const texts = Object.create(null) as Record<string, string | string[]>;
    const { uploadRules: rules } = request.routeOptions.config;
    try {
      if (!rules || !isUpload) return await act(rawFields(request.body));
      return await this.uploads.receive({ request, rules, account: member.user.id, texts }, (upload) => {
        hadFiles = upload.files.length > 0;
        return actWithFiles(rawFields(texts), upload);
      });
    } catch (thrown) {
      const error = await rightsFirst(thrown, permit);
      // Programs get the code of the refusal (PAGE-21).
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

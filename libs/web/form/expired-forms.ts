import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UsersReader } from '#areas/identity/users.reader';
import { readUnreadForm } from '#platform/uploads/multipart';
import { localPath } from '../local-path';
import { Pages } from '../pages';
import { Readers, type Reader } from '../readers';
import { translator } from '../texts';
import { view, type View } from '../view';
import type { FormRefusal } from './form-refusal';
import { FORM_TOKENS, FormTokens, tokenIn, withoutTokens } from './form-tokens';
import { formView, type FormView } from './form-view';
import { planOf } from './plan';
import { envelopeInsteadOf } from '../error-pages';
import { rawFields, type RawFields } from './raw-fields';
import type { SessionExpired } from './session-expired';

/**
 * Maximum size in bytes of a form of the sign-in pages. Such a form may contain the fields of another form, which is
 * sent after the sign-in.
 */
export const MAX_DRAFT_FORM_BYTES = 1280 * 1024;

/**
 * A submitted form with its address and its typed values. The page that asks for a sign-in contains this draft until
 * the sender has signed in.
 */
interface Draft {
  readonly action: string;
  /** The page that contains the form. */
  readonly page: string;
  readonly fields: RawFields;
  readonly isUpload: boolean;
  /** The id of the form's plan (see `planOf`); null if the form has none. */
  readonly plan: string | null;
  /** The value of the field `_by` (see `FormTokens`). It identifies the account that opened the form. */
  readonly by: string;
}

/**
 * Answers a form that was sent after the sender's session had ended. The response is a page that contains the typed
 * values and asks the person to sign in to the same account. After the sign-in, the form is shown again.
 */
@Injectable()
export class ExpiredForms {
  constructor(
    private readonly pages: Pages,
    private readonly users: UsersReader,
    private readonly tokens: FormTokens,
    private readonly readers: Readers,
  ) {}

  /** Answers 401 with a page that contains the submitted form. */
  async answer(
    { userId, page }: SessionExpired,
    reader: Reader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const user = await this.users.byId(userId);
    const answer = expiredPage(reader, await draftOf(request, page), user?.email ?? '', 401, null);
    await reply.send(envelopeInsteadOf(answer, request, reply) ?? (await this.pages.render(reader, reply, answer)));
  }

  /**
   * Shows the sign-in page of the draft again after a wrong password, or after another refusal (`refusal`). Returns
   * null if `json` is absent or is not a draft.
   */
  refuse(
    reader: Reader,
    json: string | undefined,
    email: string,
    refusal?: Pick<FormRefusal, 'status' | 'headers' | 'text'>,
  ): View | null {
    const draft = readDraft(json);
    if (!draft) return null;
    const text = refusal?.text ?? translator(reader.locale)('sign_in_failed');
    return expiredPage(reader, draft, email, refusal?.status ?? 422, text).withHeaders(refusal?.headers ?? {});
  }

  /**
   * Shows the sign-in page of the draft again after the second step was refused (`refusal` is the reason), or if no
   * sign-in waits for the second step any more (`refusal` is absent). Returns null if `json` is absent or is not a
   * draft with a valid token.
   */
  async signInAgain(reader: Reader, json: string | undefined, refusal?: FormRefusal): Promise<View | null> {
    const opened = this.tokens.openedFormOf(readDraft(json)?.by ?? '');
    const user = opened && (await this.users.byId(opened.owner));
    if (!user) return null;
    const again = { status: 422, headers: {}, text: translator(reader.locale)('sign_in_again') };
    return this.refuse(reader, json, user.email ?? '', refusal ?? again);
  }

  /**
   * Shows the form again to the account that has just signed in. Returns null if `json` is absent or is not a draft, if
   * `by` is not a valid token (`FormTokens`), or if another account opened the form.
   */
  async resume(userId: number, request: FastifyRequest, json: string | undefined, next: string): Promise<View | null> {
    const draft = readDraft(json);
    if (!draft || this.tokens.openedFormOf(draft.by)?.owner !== userId) return null;
    // The sign-in has changed the session since `request.reader` was set. The page is for the signed-in account.
    const reader = (request.reader = await this.readers.readerOf(request));
    return view('resume', {
      title: translator(reader.locale)('expired_signed_in'),
      action: draft.action,
      next,
      formView: formViewOf(reader, draft),
      fields: hiddenFieldsOf(draft),
      openedBy: draft.by,
      hadFiles: draft.isUpload,
    });
  }
}

/** `refused`: why the sign-in on this page was refused; null if nobody has tried to sign in on this page yet. */
function expiredPage(reader: Reader, draft: Draft, email: string, status: number, refused: string | null): View {
  const content = {
    title: translator(reader.locale)('expired'),
    hasVisitorForm: true,
    refused,
    email,
    action: draft.action,
    next: draft.page,
    draft: JSON.stringify(draft),
    formView: formViewOf(reader, draft),
    fields: hiddenFieldsOf(draft),
    openedBy: draft.by,
    hadFiles: draft.isUpload,
  };
  return view('expired', content, status);
}

/** Reads the submitted fields. The files of a multipart form are ignored. */
async function draftOf(request: FastifyRequest, page: string): Promise<Draft> {
  const action = withoutTokens(request.url);
  const { uploadRules, formPlan } = request.routeOptions.config;
  const commonFields = { action, page, plan: formPlan?.id ?? null, by: tokenIn(request) };
  if (!uploadRules || !request.isMultipart())
    return { ...commonFields, fields: { ...rawFields(request.body) }, isUpload: false };
  const texts = Object.create(null) as Record<string, string[]>;
  await readUnreadForm(request, uploadRules, (name, text) => (texts[name] ??= []).push(text));
  return { ...commonFields, fields: { ...rawFields(texts) }, isUpload: true };
}

function readDraft(json: string | undefined): Draft | null {
  try {
    const { action, page, fields, isUpload, plan = null, by } = JSON.parse(json ?? '') as Partial<Draft>;
    const path = localPath(action);
    if (path === null) return null;
    return {
      action: path,
      page: localPath(page) ?? path,
      fields: rawFields(fields),
      isUpload: isUpload === true,
      plan,
      by: String(by),
    };
  } catch {
    return null;
  }
}

/** All fields except the two form tokens. */
function hiddenFieldsOf({ fields }: Draft): FormView['hidden'] {
  return Object.entries(fields)
    .filter(([name]) => !FORM_TOKENS.includes(name))
    .flatMap(([name, values]) => values.map((value) => [name, value] as const));
}

function formViewOf(reader: Reader, draft: Draft): FormView | null {
  const { plan: id, fields, isUpload } = draft;
  const plan = planOf(id);
  // A form with only a button has no fields to show. Its plan can still have fields, because another form that is sent
  // to the same address has the same plan.
  if (!plan || '_button' in fields) return null;
  const refusal: FormRefusal = {
    code: 'unauthenticated',
    status: 401,
    headers: {},
    text: '',
    errors: {},
    field: null,
    conflict: null,
    raw: fields,
    hadFiles: isUpload,
  };
  const form = formView(plan, reader, { refusal });
  const names = form.hidden.map(([name]) => name);
  // The button that was pressed can be a field too, for example `_add_stop`.
  const button = hiddenFieldsOf(draft).filter(([name]) => name.startsWith('_') && !names.includes(name));
  return { ...form, hidden: [...form.hidden, ...button], alert: null };
}

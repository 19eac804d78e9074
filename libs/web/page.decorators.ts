import {
  applyDecorators,
  Controller,
  createParamDecorator,
  HttpCode,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { User } from '#areas/identity/user.entity';
import type { WebSession } from '#areas/identity/web-sessions';
import type { Dto } from '#platform/http/declared-fields';
import type { UploadRules } from '#platform/uploads/upload-rules';
import type { Labelled } from './field-labels';
import { Form, formValues, type FormValues } from './forms';
import type { FormPlan } from './form/plan';
import { PageFilter } from './page.filter';
import { OpenTo, PageGuard, ShowsForbidden, TakesForm } from './page.guard';
import { PageInterceptor } from './page.interceptor';
import type { Reader } from './readers';

/** A reader who is signed in. */
export type Member = Reader & { readonly user: User; readonly session: WebSession };

/**
 * A controller of pages. Its handlers return `view(…)`, `redirectTo(…)` or a file. A guard loads the reader before a
 * handler runs.
 */
export function PageController(): ClassDecorator {
  return applyDecorators(FileController(), UseGuards(PageGuard));
}

/**
 * A controller of pages on which members use operations of the API. Only members may open these pages. If the API
 * answers 403, these pages answer 403 too. Pages of other controllers then answer 404.
 */
export function ActingPageController(): ClassDecorator {
  return applyDecorators(PageController(), OpenTo('members'), ShowsForbidden());
}

/**
 * A controller of files that do not depend on the reader's account, so no session is read. Errors are answered as on
 * pages.
 */
export function FileController(): ClassDecorator {
  return applyDecorators(
    Controller(),
    ApiExcludeController(),
    UseInterceptors(PageInterceptor),
    UseFilters(PageFilter),
  );
}

/**
 * Restricts a handler to members. A visitor has to sign in first, and then continues at the requested page, or at the
 * page of the sent form (`FormPages`).
 */
export function SignedInOnly(): MethodDecorator & ClassDecorator {
  return OpenTo('members');
}

/** Restricts a handler to moderators and admins. Other members get 404, and visitors have to sign in. */
export function ModeratorOnly(): MethodDecorator & ClassDecorator {
  return OpenTo('moderators');
}

/**
 * Marks a handler of a form, so that `PageGuard` checks that a page of this service sent the form. A response other
 * than a page or a redirect has the status 200.
 */
export function CheckForm({ plan, files, ...options }: FormOptions = {}): MethodDecorator {
  const upload = files && { takesUpload: true, uploadRules: { files } };
  return applyDecorators(TakesForm(), HttpCode(200), RouteConfig({ ...options, formPlan: plan, ...upload }));
}

interface FormOptions {
  /** A higher limit for the size of the body, in bytes. */
  readonly maxBytes?: number;
  /** The body is multipart. */
  readonly takesUpload?: true;
  /** The fields of the form. They are needed to show the form again after the session has ended. */
  readonly plan?: FormPlan;
  /** The rules for the files of a multipart form. `FormRunner` applies them. */
  readonly files?: UploadRules['files'];
}

/** `@CurrentReader() reader: Reader` */
export const CurrentReader = createParamDecorator((_: unknown, context: ExecutionContext): Reader => {
  const { reader } = requestOf(context);
  if (!reader) throw new Error('@CurrentReader() needs @PageController().');
  return reader;
});

/**
 * `@CurrentMember() member: Member`, on routes with `@SignedInOnly()`, `@ModeratorOnly()` or `@ActingPageController()`.
 */
export const CurrentMember = createParamDecorator((_: unknown, context: ExecutionContext): Member => {
  const { reader } = requestOf(context);
  if (!reader?.user || !reader.session) throw new Error('@CurrentMember() needs @SignedInOnly().');
  return reader as Member;
});

/** `@FormBody(ProfileDto) form: Form<ProfileDto>`: the submitted form. `read()` throws 422 if the form is invalid. */
export const FormBody = createParamDecorator(
  <T extends object>(dto: Dto<Labelled<T>>, context: ExecutionContext): Promise<Form<T>> =>
    Form.ofFields<T>(dto, formValues(requestOf(context).body)),
);

/** `@FormFields() values: FormValues`: the fields as they were sent, for a form without a DTO. */
export const FormFields = createParamDecorator((_: unknown, context: ExecutionContext): FormValues =>
  formValues(requestOf(context).body),
);

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum size of a form's body in bytes, if the usual limit is too low. */
    maxBytes?: number;
    /** The fields of a form, which are needed to show the form again. */
    formPlan?: FormPlan | undefined;
  }
}

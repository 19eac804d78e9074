import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { APP_TYPES } from '#areas/apps/app.dto';
import type { AppRow } from '#areas/apps/app.query';
import { AppsService } from '#areas/apps/apps.service';
import { LIMITS } from '#contract/limits';
import { WireFormat } from '#platform/http/wire-format';
import { Clock } from '#platform/time/clock';
import { keyFor } from '../form/form-keys';
import { area, plainForm, text } from '../form/plan';
import { rawFields, type ApiValues } from '../form/raw-fields';
import type { FormConflict } from '../form/form-precondition';
import { shownValues } from '../form/shown-values';
import type { FormValues } from '../forms';
import { localTime } from '../local-time';
import type { Member } from '../page.decorators';
import { takeSecret } from '../session';
import { translator } from '../texts';
import { view, type View } from '../view';
import { AppWords } from './app-words';

export const OWN_APPS_PAGE = '/account/apps/own';
const MAX = LIMITS.apps.per_account;

/**
 * The fields of the form. A hidden field contains the values that the form showed, so that changes by another request
 * are detected (PAGE-97).
 */
export const OWN_APP = plainForm(
  'own_app',
  text('name', 'app_name'),
  text('homepage', 'app_homepage'),
  area('redirect_uris', 'app_redirect_uris'),
);

export function valuesOf({ name, homepage, redirect_uris }: AppRow): ApiValues {
  return { name, homepage, redirect_uris: redirect_uris.join('\n') };
}

interface ListOutcome {
  readonly deleted?: boolean;
  /** True if no app was created because the account has the maximum number of apps. */
  readonly isRefusedAtLimit?: boolean;
  /** Why no app was created, if the refusal concerns no field. */
  readonly refused?: string | null;
  /** Whether an icon was sent; the developer has to choose it again. */
  readonly hadFiles?: boolean;
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
}

interface AppOutcome {
  readonly values?: FormValues;
  readonly errors?: Record<string, string>;
  /** The refusal of a form whose values were outdated. */
  readonly conflict?: FormConflict;
}

/** The content of the pages on which developers manage their own apps. */
@Injectable()
export class OwnAppView {
  constructor(
    private readonly apps: AppsService,
    private readonly words: AppWords,
    private readonly wire: WireFormat,
    private readonly clock: Clock,
  ) {}

  async list(
    member: Member,
    {
      deleted = false,
      isRefusedAtLimit = false,
      refused = null,
      hadFiles = false,
      values = {},
      errors = {},
    }: ListOutcome,
    status = 200,
  ): Promise<View> {
    const apps = await this.apps.list(member.user.id);
    return view(
      'own-apps',
      {
        title: translator(member.locale)('own_apps_title'),
        tab: 'apps',
        apps: apps.map((app) => this.row(app)),
        deleted,
        isAtLimit: apps.length >= MAX,
        isRefusedAtLimit,
        refused,
        hadFiles,
        max: MAX,
        types: APP_TYPES,
        key: keyFor(values),
        values,
        errors,
      },
      status,
    );
  }

  async one(
    member: Member,
    request: FastifyRequest,
    id: number,
    { values, errors, conflict: refusal }: AppOutcome = {},
  ): Promise<View> {
    const app = await this.apps.one(member.user.id, id);
    const until = app.former_secret_until;
    const raw = rawFields(request.body);
    const stored = valuesOf(app);
    const { hidden, labels, conflict } = shownValues(OWN_APP, member, stored, raw, refusal);
    return view(
      'own-app',
      {
        title: app.name,
        tab: 'apps',
        app: this.row(app),
        saved: (request.query as object | null) !== null && 'saved' in (request.query as object),
        secret: takeSecret(request, `${OWN_APPS_PAGE}/${this.wire.id('app', id)}`),
        formerSecretUntil: until !== null && until > this.clock.now() ? localTime(member, until) : null,
        labels: { icon: 'app_icon', ...labels },
        conflict,
        hidden,
        values: conflict?.values ?? values ?? stored,
        errors: conflict?.errors ?? errors ?? {},
      },
      conflict ? 412 : errors ? 422 : 200,
    );
  }

  async askToDelete(member: Member, id: number): Promise<View> {
    const app = await this.apps.one(member.user.id, id);
    return view('own-app-delete', {
      title: translator(member.locale)('app_delete'),
      tab: 'apps',
      app: this.row(app),
    });
  }

  private row(app: AppRow): object {
    return {
      id: this.wire.id('app', Number(app.id)),
      clientId: app.client_id,
      name: app.name,
      homepage: app.homepage,
      icon: this.words.iconOf(app.icon_key),
      type: app.is_confidential ? 'confidential' : 'public',
      isSuspended: app.suspended_at !== null,
    };
  }
}

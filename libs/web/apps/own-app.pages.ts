import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppDto, NewAppDto } from '#areas/apps/app.dto';
import { APP_ICON, AppsService, TooManyApps } from '#areas/apps/apps.service';
import { AppIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { FormRunner } from '../form/form-runner';
import { rawFields } from '../form/raw-fields';
import { FormConflict } from '../form/form-precondition';
import { refuseOutdated } from '../form/shown-values';
import { errorsForPeople, fieldErrors, Form, formValues, type FormValues } from '../forms';
import { CheckForm, CurrentMember, FormBody, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import type { View } from '../view';
import { OWN_APP, OwnAppView, OWN_APPS_PAGE, valuesOf } from './own-app.view';

/** /account/apps/own: the apps that a developer has registered (APP-1 to APP-3). */
@PageController()
@SignedInOnly()
export class OwnAppPages {
  constructor(
    private readonly apps: AppsService,
    private readonly view: OwnAppView,
    private readonly formRunner: FormRunner,
    private readonly wire: WireFormat,
  ) {}

  @Get('account/apps/own')
  list(@CurrentMember() member: Member, @Query() query: object): Promise<View> {
    return this.view.list(member, { deleted: 'deleted' in query });
  }

  @Post('account/apps/own')
  @CheckForm({ files: APP_ICON })
  async create(@CurrentMember() member: Member, @Req() request: FastifyRequest): Promise<View | Redirect> {
    let values: FormValues = {};
    let hadFiles = false;
    try {
      return await this.formRunner.run(member, request, {
        action: async (raw, _, pictureOf) => {
          values = formValues(raw);
          hadFiles = pictureOf('icon') !== undefined;
          const fields = (await Form.ofFields(NewAppDto, values)).read();
          const { app, secret } = await this.apps.create(member.user.id, fields, pictureOf('icon')?.key);
          return redirectTo(this.pathOf(Number(app.id)), 'app_created').withSecret(secret);
        },
        show: ({ raw, errors, text, status, hadFiles }) =>
          this.view.list(
            member,
            {
              values: formValues(raw),
              errors: errorsForPeople(errors, member.locale),
              refused: Object.keys(errors).length > 0 ? null : text,
              hadFiles,
            },
            status,
          ),
      });
    } catch (error) {
      if (!(error instanceof TooManyApps)) throw error;
      return this.view.list(member, { values, hadFiles, isRefusedAtLimit: true }, 409);
    }
  }

  @Get('account/apps/own/:id')
  one(
    @CurrentMember() member: Member,
    @Param('id', AppIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View> {
    return this.view.one(member, request, id);
  }

  @Post('account/apps/own/:id')
  @CheckForm()
  async change(
    @CurrentMember() member: Member,
    @Param('id', AppIdPipe) id: number,
    @FormBody(AppDto) form: Form<AppDto>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    await this.apps.one(member.user.id, id);
    try {
      await this.apps.change(member.user.id, id, form.read(), (app) =>
        refuseOutdated(OWN_APP, rawFields(request.body), member, valuesOf(app)),
      );
    } catch (error) {
      if (error instanceof FormConflict) return this.view.one(member, request, id, { conflict: error });
      return this.view.one(member, request, id, { values: form.values, errors: fieldErrors(error, member.locale) });
    }
    return redirectTo(`${this.pathOf(id)}?saved`);
  }

  @Post('account/apps/own/:id/icon')
  @CheckForm({ takesUpload: true })
  async setIcon(
    @CurrentMember() member: Member,
    @Param('id', AppIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    try {
      await this.apps.setIcon(member.user.id, id, request);
    } catch (error) {
      return this.view.one(member, request, id, { errors: fieldErrors(error, member.locale) });
    }
    return redirectTo(`${this.pathOf(id)}?saved`);
  }

  @Post('account/apps/own/:id/rotate')
  @CheckForm()
  async rotate(@CurrentMember() { user }: Member, @Param('id', AppIdPipe) id: number): Promise<Redirect> {
    const secret = await this.apps.rotate(user.id, id);
    return redirectTo(this.pathOf(id), 'app_secret_rotated').withSecret(secret);
  }

  @Get('account/apps/own/:id/delete')
  askToDelete(@CurrentMember() member: Member, @Param('id', AppIdPipe) id: number): Promise<View> {
    return this.view.askToDelete(member, id);
  }

  @Post('account/apps/own/:id/delete')
  @CheckForm()
  async remove(@CurrentMember() { user }: Member, @Param('id', AppIdPipe) id: number): Promise<Redirect> {
    await this.apps.remove(user.id, id);
    return redirectTo(`${OWN_APPS_PAGE}?deleted`);
  }

  private pathOf(id: number): string {
    return `${OWN_APPS_PAGE}/${this.wire.id('app', id)}`;
  }
}

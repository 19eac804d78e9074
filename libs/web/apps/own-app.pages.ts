import { Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppDto, NewAppDto } from '#areas/apps/app.dto';
import { AppsService, TooManyApps } from '#areas/apps/apps.service';
import { AppIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { FormKeys } from '../form/form-keys';
import { rawFields } from '../form/raw-fields';
import { fieldErrors, type Form } from '../forms';
import { CheckForm, CurrentMember, FormBody, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { storeSecret } from '../session';
import type { View } from '../view';
import { OwnAppView, OWN_APPS_PAGE } from './own-app.view';

/** /account/apps/own: the apps that a developer has registered (APP-1 to APP-3). */
@PageController()
@SignedInOnly()
export class OwnAppPages {
  constructor(
    private readonly apps: AppsService,
    private readonly view: OwnAppView,
    private readonly keys: FormKeys,
    private readonly wire: WireFormat,
  ) {}

  @Get('account/apps/own')
  list(@CurrentMember() member: Member, @Query() query: object): Promise<View> {
    return this.view.list(member, { deleted: 'deleted' in query });
  }

  @Post('account/apps/own')
  @CheckForm()
  async create(
    @CurrentMember() member: Member,
    @FormBody(NewAppDto) form: Form<NewAppDto>,
    @Req() request: FastifyRequest,
  ): Promise<View | Redirect> {
    const { values } = form;
    try {
      const fields = form.read();
      return await this.keys.once(request, member.user.id, rawFields(request.body), async () => {
        const { app, secret } = await this.apps.create(member.user.id, fields);
        return this.redirectWithSecret(request, Number(app.id), secret);
      });
    } catch (error) {
      if (error instanceof TooManyApps) return this.view.list(member, { values, isRefusedAtLimit: true }, 409);
      return this.view.list(member, { values, errors: fieldErrors(error, member.locale) }, 422);
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
      await this.apps.change(member.user.id, id, form.read());
    } catch (error) {
      return this.view.one(member, request, id, { values: form.values, errors: fieldErrors(error, member.locale) });
    }
    return this.pageOf(id, '?saved');
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
    return this.pageOf(id, '?saved');
  }

  @Post('account/apps/own/:id/rotate')
  @CheckForm()
  async rotate(
    @CurrentMember() { user }: Member,
    @Param('id', AppIdPipe) id: number,
    @Req() request: FastifyRequest,
  ): Promise<Redirect> {
    return this.redirectWithSecret(request, id, await this.apps.rotate(user.id, id));
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

  private pageOf(id: number, query = ''): Redirect {
    return redirectTo(`${OWN_APPS_PAGE}/${this.wire.id('app', id)}${query}`);
  }

  /** Redirects to the page of the app, which shows the secret once. `secret`: null for an app without a secret. */
  private redirectWithSecret(request: FastifyRequest, id: number, secret: string | null): Redirect {
    if (secret !== null) storeSecret(request, { of: this.wire.id('app', id), secret });
    return this.pageOf(id);
  }
}

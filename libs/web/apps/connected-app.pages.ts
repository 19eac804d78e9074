import { Get, Param, Post, Query } from '@nestjs/common';
import { ConnectionsService } from '#areas/apps/connections.service';
import type { ConnectedApp } from '#areas/apps/grant.query';
import { AppIdPipe } from '#platform/http/public-ids';
import { WireFormat } from '#platform/http/wire-format';
import { localTime } from '../local-time';
import { CheckForm, CurrentMember, PageController, SignedInOnly, type Member } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';
import { translator } from '../texts';
import { view, type View } from '../view';
import { AppWords } from './app-words';

/** /account/apps: the apps that a member has connected (APP-16). */
@PageController()
@SignedInOnly()
export class ConnectedAppPages {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly words: AppWords,
    private readonly wire: WireFormat,
  ) {}

  @Get('account/apps')
  async page(@CurrentMember() member: Member, @Query() query: object): Promise<View> {
    const apps = await this.connections.list(member.user.id);
    return view('connected-apps', {
      title: translator(member.locale)('apps_tab'),
      tab: 'apps',
      about: { type: 'app', id: null },
      apps: apps.map((app) => this.row(app, member)),
      done: (['disconnected', 'all_disconnected'] as const).find((one) => one in query) ?? null,
    });
  }

  @Post('account/apps/:id/disconnect')
  @CheckForm()
  async disconnect(@CurrentMember() { user }: Member, @Param('id', AppIdPipe) id: number): Promise<Redirect> {
    await this.connections.disconnect(user.id, id);
    return redirectTo('/account/apps?disconnected');
  }

  @Post('account/apps/disconnect-all')
  @CheckForm()
  async disconnectAll(@CurrentMember() { user }: Member): Promise<Redirect> {
    await this.connections.disconnectAll(user.id);
    return redirectTo('/account/apps?all_disconnected');
  }

  private row(app: ConnectedApp, member: Member): object {
    return {
      id: this.wire.id('app', Number(app.id)),
      name: app.name,
      homepage: app.homepage,
      icon: this.words.iconOf(app.icon_key),
      host: app.origin === 'document' ? new URL(app.client_id).host : null,
      isSuspended: app.suspended_at !== null,
      scopes: this.words.scopesOf(app.scopes, member.locale),
      since: localTime(member, app.since),
      lastUsed: localTime(member, app.last_used_at),
    };
  }
}

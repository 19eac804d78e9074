import { Get, Post, Query } from '@nestjs/common';
import { DevicesService, type WaitingDevice } from '#areas/apps/devices.service';
import type { FormValues } from '../forms';
import { localTime } from '../local-time';
import { CheckForm, CurrentMember, FormFields, PageController, SignedInOnly, type Member } from '../page.decorators';
import { translator, type TextKey } from '../texts';
import { view, type View } from '../view';
import { AppWords } from './app-words';

/** /device: a person enters the code that a device shows, and allows or denies access (APP-17). */
@PageController()
export class DevicePages {
  constructor(
    private readonly devices: DevicesService,
    private readonly words: AppWords,
  ) {}

  @Get('device')
  @SignedInOnly()
  page(@CurrentMember() member: Member, @Query('user_code') code: unknown): Promise<View> | View {
    return typeof code === 'string' && code !== '' ? this.showConsent(member, code) : codeForm(member);
  }

  @Post('device')
  @SignedInOnly()
  @CheckForm()
  async answer(@CurrentMember() member: Member, @FormFields() values: FormValues): Promise<View> {
    const { user_code: code = '', decision } = values;
    if (code.trim() === '') return codeForm(member, { code, isWrong: true });
    // This call counts a wrong code. The later calls do not run for a wrong code, so each wrong code is counted once.
    const device = await this.devices.waiting(member.user, code);
    if (!device) return codeForm(member, { code, isWrong: true });
    if (decision === 'allow') {
      const app = await this.devices.allow(member.user, code);
      return app === null ? this.showConsent(member, code) : doneView(member, 'device_allowed', app);
    }
    if (decision !== 'deny') return this.consentView(member, device);
    const app = await this.devices.deny(member.user, code);
    return app === null ? codeForm(member, { code, isWrong: true }) : doneView(member, 'device_denied', app);
  }

  private async showConsent(member: Member, code: string): Promise<View> {
    const device = await this.devices.waiting(member.user, code);
    return device ? this.consentView(member, device) : codeForm(member, { code, isWrong: true });
  }

  private consentView(member: Member, { app, askedAt, code, scopes, isAccountRefused }: WaitingDevice): View {
    return view(
      'consent',
      {
        title: translator(member.locale)('consent_title', { app: app.name }),
        action: '/device',
        app: this.words.appOf(app),
        target: null,
        scopes: this.words.scopesOf(scopes, member.locale),
        refused: isAccountRefused,
        device: { code, askedAt: localTime(member, askedAt) },
      },
      isAccountRefused ? 403 : 200,
    );
  }
}

function codeForm(
  { locale }: Member,
  { code, isWrong }: { code: string; isWrong: boolean } = { code: '', isWrong: false },
): View {
  const say = translator(locale);
  const content = { title: say('device_title'), code, error: isWrong ? say('device_wrong') : undefined };
  return view('device', content, isWrong ? 422 : 200);
}

function doneView({ locale }: Member, done: 'device_allowed' | 'device_denied', app: string): View {
  const say = translator(locale);
  const text: TextKey = `${done}_text`;
  return view('outcome', { title: say(done), text: say(text, { app }) });
}

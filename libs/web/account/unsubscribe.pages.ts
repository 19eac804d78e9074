import { Get, HttpCode, Param, Post } from '@nestjs/common';
import { MailChoicesCommands } from '#areas/notifications/mail-choices.commands';
import type { NoticeKind } from '#areas/notifications/notice.texts';
import { Refusal } from '#platform/http/refusal';
import { CurrentReader, PageController } from '../page.decorators';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { view, type View } from '../view';

/**
 * /unsubscribe/KEY/KIND: GET asks for confirmation, POST stops the mails of this kind (NOTE-8). Mail programs send the
 * POST directly (RFC 8058): without a session, without a form token, and with any kind of body. The key in the address
 * authorizes the request, and gives no other rights.
 */
@PageController()
export class UnsubscribePages {
  constructor(private readonly choices: MailChoicesCommands) {}

  @Get('unsubscribe/:key/:kind')
  async ask(
    @CurrentReader() reader: Reader,
    @Param('key') key: string,
    @Param('kind') kindName: string,
  ): Promise<View> {
    return this.show(reader, key, await this.kindOf(key, kindName), false);
  }

  @Post('unsubscribe/:key/:kind')
  @HttpCode(200)
  async stop(
    @CurrentReader() reader: Reader,
    @Param('key') key: string,
    @Param('kind') kindName: string,
  ): Promise<View> {
    const kind = await this.kindOf(key, kindName);
    await this.choices.stop(key, kind);
    return this.show(reader, key, kind, true);
  }

  private async kindOf(key: string, kindName: string): Promise<NoticeKind> {
    const kind = await this.choices.kindOf(key, kindName);
    if (!kind) throw new Refusal('not_found');
    return kind;
  }

  private show(reader: Reader, key: string, kind: NoticeKind, stopped: boolean): View {
    const say = translator(reader.locale);
    return view('unsubscribe', {
      title: say(stopped ? 'stopped' : 'stop_title'),
      kind: say(`kind_${kind}`),
      stopped,
      path: `/unsubscribe/${key}/${kind}`,
    });
  }
}

import { HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UsersCommands } from '#areas/identity/users.commands';
import { UsersReader } from '#areas/identity/users.reader';
import { LOCALES } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { Database } from '#platform/database/database';
import { Refusal } from '#platform/http/refusal';
import type { FormValues } from '../forms';
import { languageCookie } from '../language';
import { localPath } from '../local-path';
import { CurrentReader, FormFields, PageController } from '../page.decorators';
import { checkToken } from '../page.guard';
import type { Reader } from '../readers';
import { redirectTo, type Redirect } from '../redirect';

/** The form in the footer that changes the language of the pages (PAGE-72). */
@PageController()
export class LanguagePages {
  constructor(
    private readonly database: Database,
    private readonly users: UsersReader,
    private readonly commands: UsersCommands,
    private readonly settings: Settings,
  ) {}

  /**
   * Changes the language of the browser that sends the form. The request of a signed-in user also changes the language
   * of the account, and needs a form token. Throws 422 for an unknown language.
   */
  @Post('language')
  @HttpCode(200)
  async change(
    @CurrentReader() { user }: Reader,
    @FormFields() { locale, next }: FormValues,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Redirect> {
    if (user) checkToken(request);
    const chosen = LOCALES.find((one) => one === locale);
    if (!chosen) throw Refusal.invalid('locale', 'one_of', { values: LOCALES.join(', ') });
    if (user)
      await this.database.transaction(async (tx) => {
        const own = await this.users.lockBySlug(tx, user.slug);
        if (own && own.locale !== chosen) await this.commands.update(tx, own, { locale: chosen });
      });
    reply.header('set-cookie', languageCookie(chosen, this.settings.baseUrl));
    return redirectTo(localPath(typeof next === 'string' ? next : '') ?? '/');
  }
}

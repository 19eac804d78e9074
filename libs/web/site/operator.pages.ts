import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { OPERATOR_PAGES } from '#platform/config/operator-pages';
import { Refusal } from '#platform/http/refusal';
import { CurrentReader, PageController } from '../page.decorators';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { view, type View } from '../view';
import { OperatorTexts } from './operator-texts';

/** The pages /terms, /privacy, /imprint and /help. A page whose text the operator has not written is a 404. */
@PageController()
export class OperatorPages {
  constructor(private readonly texts: OperatorTexts) {}

  @Get([...OPERATOR_PAGES])
  async show(@CurrentReader() reader: Reader, @Req() { routeOptions }: FastifyRequest): Promise<View> {
    const name = OPERATOR_PAGES.find((one) => routeOptions.url?.endsWith(`/${one}`));
    const text = name && (await this.texts.read(name, reader.locale));
    if (!name || !text) throw new Refusal('not_found');
    const title = translator(reader.locale)(`page_${name}`);
    return view('operator', { title, html: text.html, textLocale: text.locale });
  }
}

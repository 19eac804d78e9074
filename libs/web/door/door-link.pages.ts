import { Get, Header, Param } from '@nestjs/common';
import { Refusal } from '#platform/http/refusal';
import { WireFormat } from '#platform/http/wire-format';
import { CurrentReader, PageController } from '../page.decorators';
import type { Reader } from '../readers';
import { translator } from '../texts';
import { view, type View } from '../view';
import { scriptTexts } from './script-texts';

/**
 * The door page, on which a helper without an account checks tickets at the entrance (DOOR-23). The secret of the link
 * follows `#` in the address, so the browser does not send the secret when it loads the page. The page itself contains
 * no data of participants; its script sends the secret to the API to get this data.
 */
@PageController()
export class DoorLinkPages {
  constructor(private readonly wire: WireFormat) {}

  @Get('door/:id')
  @Header('referrer-policy', 'no-referrer')
  @Header('x-robots-tag', 'noindex')
  @Header('cache-control', 'private, no-cache')
  page(@CurrentReader() { locale, timezone }: Reader, @Param('id') id: string): View {
    if (this.wire.ids.decode('event', id) === null) throw new Refusal('not_found');
    return view('door', {
      title: translator(locale)('door'),
      event: null,
      eventId: id,
      path: `/door/${id}`,
      api: `/api/v1/events/${id}/door`,
      people: [],
      texts: scriptTexts(locale),
      timezone,
    });
  }
}

import { Injectable } from '@nestjs/common';
import { LIMITS } from '#contract/limits';
import { Settings } from '#platform/config/settings';
import { Refusal } from '#platform/http/refusal';
import { refuseTooManyLookups } from '#platform/http/too-many-lookups';
import { guardedFetch, type FetchFailure } from '#platform/net/guarded-fetch';
import { HostNames } from '#platform/net/host-names';
import { decodedText } from './decoded-text';
import { parseUrl } from '#platform/text/url';

const { url, redirects, bytes, within } = LIMITS.imports;
const ACCEPT = 'text/calendar, text/html, application/xhtml+xml;q=0.9, */*;q=0.5';
const REASONS = {
  address: 'url_unreachable',
  no_answer: 'import_no_answer',
  too_large: 'import_too_large',
} as const satisfies Record<FetchFailure, string>;

/** Maximum length of a host name (RFC 1035). */
const MAX_HOST_NAME_LENGTH = 253;

/** Fetches the file that an account wants to import, with the same network guard as webhooks (IMP-5). */
@Injectable()
export class ImportFetch {
  constructor(
    private readonly settings: Settings,
    private readonly names: HostNames,
  ) {}

  /**
   * Returns the address without spaces around it. Accepts http addresses too, although `textOf` refuses them unless
   * WEBHOOKS_ALLOW_PRIVATE is on.
   * @throws Refusal 422 on `url` if the text is too long, is not an http, https or webcal address, contains a user name
   * or a password, or has a host name that is too long or the port 0
   */
  addressOf(text: string): string {
    const address = text.trim();
    const parsed = address.length <= url.max ? parseUrl(address) : null;
    const isAddress =
      parsed !== null &&
      /^(?:https?|webcal):\/\//i.test(address) &&
      parsed.username + parsed.password === '' &&
      parsed.hostname.length <= MAX_HOST_NAME_LENGTH &&
      parsed.port !== '0';
    if (!isAddress) throw Refusal.invalid('url', 'url_unreachable');
    return address;
  }

  /**
   * Returns the text of the file at `address`.
   * @throws Refusal 422 on `url` if the address cannot be used, no file is received, or the file is too large; 429 if
   * too many DNS lookups of the account are in progress
   * @throws ServiceBusy if too many DNS lookups of all accounts are in progress
   */
  async textOf(account: number, address: string): Promise<string> {
    const limits = { redirects, bytes, within: within * 1000, allowPrivate: this.settings.webhooksAllowPrivate };
    const resolve = (name: string) => this.names.addressesOf(account, name);
    const fetched = await guardedFetch(address, ACCEPT, limits, resolve).catch(refuseTooManyLookups);
    if (typeof fetched === 'string') throw Refusal.invalid('url', REASONS[fetched]);
    return decodedText(fetched);
  }
}

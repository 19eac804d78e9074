import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOCALES } from '#contract/vocabulary';
import { Settings } from '#platform/config/settings';
import { localeFor } from '#platform/messages/locale';
import { framePolicy } from '../headers';
import { Readers } from '../readers';

/**
 * Prepares a page for frames of other sites (EMB-1). Any site may show the page, and shared caches may store it for a
 * minute. The page is rendered for a visitor without an account. Its language comes from `?locale=`. If this parameter
 * is missing or is not a supported language, the language comes from `Accept-Language`.
 */
@Injectable()
export class FrameGuard implements CanActivate {
  private readonly policy: string;

  constructor(
    private readonly readers: Readers,
    settings: Settings,
  ) {
    this.policy = framePolicy(settings);
  }

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { locale } = request.query as { locale?: unknown };
    // Cookies are ignored, so a shared cache can store one copy for all readers with the same `Accept-Language`.
    const language = LOCALES.find((one) => one === locale) ?? localeFor(request.headers['accept-language'], null);
    request.reader = { ...this.readers.visitor(request), locale: language };
    const reply = http.getResponse<FastifyReply>();
    reply.removeHeader('cross-origin-opener-policy').headers({
      'content-security-policy': this.policy,
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=60',
      vary: 'Accept-Language',
    });
    return true;
  }
}

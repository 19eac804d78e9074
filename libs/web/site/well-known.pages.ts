import { Get, Header, Options, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { WireFormat } from '#platform/http/wire-format';
import { answerPreflight } from '#platform/http/wire-headers';
import { FileController } from '../page.decorators';
import { redirectTo, type Redirect } from '../redirect';

/** Addresses that programs request on every site (REF-12, REF-13). */
@FileController()
export class WellKnownPages {
  constructor(private readonly wire: WireFormat) {}

  /** A list of the addresses of the API, its OpenAPI documents and its reference (RFC 9727). */
  @Get('.well-known/api-catalog')
  @Header('access-control-allow-origin', '*')
  @Header('access-control-expose-headers', 'Link')
  @Header('cache-control', 'public, max-age=3600')
  @Header('content-type', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
  catalog(@Res({ passthrough: true }) reply: FastifyReply): string {
    const at = (href: string, type: string): object => ({ href: this.wire.page(href), type });
    const linkset = [
      {
        anchor: this.wire.page('/api/v1'),
        'service-desc': [at('/openapi.json', 'application/json'), at('/openapi.yaml', 'application/yaml')],
        'service-doc': [at('/docs', 'text/html')],
      },
    ];
    reply.header('link', `<${this.wire.page('/.well-known/api-catalog')}>; rel="api-catalog"`);
    return JSON.stringify({ linkset });
  }

  /** Answers a CORS preflight request for the catalog. */
  @Options('.well-known/api-catalog')
  @Header('access-control-allow-origin', '*')
  catalogPreflight(@Res() reply: FastifyReply): void {
    answerPreflight(reply);
  }

  /** Redirects password managers to the page on which a member changes the password. */
  @Get('.well-known/change-password')
  changePassword(): Redirect {
    return redirectTo('/account/security');
  }
}

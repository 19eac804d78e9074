import { Controller, Get, Header, Redirect, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { WireFormat } from '#platform/http/wire-format';

export const WELL_KNOWN = ['.well-known/api-catalog', '.well-known/change-password'];

/** Addresses that programs look for at every site (REF-12, REF-13). */
@ApiExcludeController()
@Controller('.well-known')
export class WellKnownController {
  constructor(private readonly wire: WireFormat) {}

  /** Where the API and its reference are (RFC 9727). */
  @Get('api-catalog')
  @Header('cache-control', 'public, max-age=3600')
  catalog(@Res() reply: FastifyReply): void {
    const at = (href: string, type: string): object => ({ href: this.wire.page(href), type });
    const linkset = [
      {
        anchor: this.wire.page('/api/v1'),
        'service-desc': [at('/openapi.json', 'application/json'), at('/openapi.yaml', 'application/yaml')],
        'service-doc': [at('/docs', 'text/html')],
      },
    ];
    void reply
      .header('link', `<${this.wire.page('/.well-known/api-catalog')}>; rel="api-catalog"`)
      .type('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
      .send(JSON.stringify({ linkset }));
  }

  /** Leads password managers to the form for a new password. */
  @Get('change-password')
  @Redirect('/account/security', 303)
  changePassword(): void {
    return;
  }
}

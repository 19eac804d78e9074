import { Injectable } from '@nestjs/common';
import type { RequestingApp } from '#areas/apps/consents.service';
import type { RedirectTarget } from '#areas/apps/redirect-addresses';
import { SCOPE_TEXTS } from '#contract/scope-texts';
import { SCOPES, type Scope } from '#contract/scopes';
import type { Locale } from '#contract/vocabulary';
import { WireFormat } from '#platform/http/wire-format';
import { withoutBadBreaks } from '../line-breaks';
import { translator } from '../texts';

/** The description of a scope. */
export function scopeText(scope: Scope, locale: Locale): string {
  return withoutBadBreaks(SCOPE_TEXTS[scope][locale], locale);
}

/** Describes apps, their scopes and their redirect addresses in words for people. */
@Injectable()
export class AppWords {
  constructor(private readonly wire: WireFormat) {}

  appOf({ name, homepage, iconKey, documentHost }: RequestingApp): object {
    return { name, homepage, documentHost, icon: this.iconOf(iconKey) };
  }

  iconOf(key: string | null): string | null {
    return this.wire.thumbOrNull(key, { isPublic: true });
  }

  scopesOf(scopes: readonly Scope[], locale: Locale): string[] {
    return SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => scopeText(scope, locale));
  }

  /** Names the receiver of the person's answer: a site, or a program on the person's device. */
  targetOf(target: RedirectTarget, locale: Locale): string {
    const say = translator(locale);
    if (target.kind === 'site') return say('consent_target_site', { host: target.host });
    if (target.kind === 'scheme') return say('consent_target_scheme', { scheme: `${target.scheme}:` });
    return say('consent_target_computer');
  }
}

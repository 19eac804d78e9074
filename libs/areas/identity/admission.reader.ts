import { Injectable } from '@nestjs/common';
import { Refusal } from '#platform/http/refusal';
import { Authentication } from './authentication';
import type { Caller } from './caller.reader';

/** During a long response, repeats the checks of admission that concern the token and the token's account. */
@Injectable()
export class AdmissionReader {
  constructor(private readonly authentication: Authentication) {}

  /**
   * Refuses in the order of admission: 401 `unauthenticated`, 403 `banned`, 403 `premium_required`. Returns the
   * current data of the caller.
   */
  async refuseUnlessAdmitted(authorization: string | undefined): Promise<Caller> {
    const authenticated = await this.authentication.authenticate(authorization);
    if (!authenticated) throw new Refusal('unauthenticated');
    if (authenticated.banned) throw new Refusal('banned');
    if (!authenticated.eligible) throw new Refusal('premium_required');
    return authenticated.caller;
  }
}

import { hash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { pathOf } from '#platform/http/paths';
import { contentOf, fingerprintOf } from '#platform/retries/fingerprint';
import type { StoredResponse } from '#platform/retries/replay';
import { StoredResponses } from '#platform/retries/stored-responses';
import { Redirect, redirectTo } from '../redirect';
import type { FormValues } from '../forms';
import type { RawFields } from './raw-fields';

const FIELD_NAME = '_key';

/**
 * Returns the name and the value of a hidden field with a new idempotency key, for a form that must take effect only
 * once.
 */
export function newKey(): readonly [string, string] {
  return [FIELD_NAME, randomUUID()];
}

/** The key for the hidden field of a form: the key in `values` after a refusal, otherwise a new key. */
export function keyFor(values: FormValues): string {
  return values[FIELD_NAME] ?? newKey()[1];
}

/**
 * The hidden field with the key of a sent form; null if the form has no key. A refused form is shown again with the
 * same key, because nothing was stored under this key.
 */
export function keyFieldIn(raw: RawFields): readonly [string, string] | null {
  const key = raw[FIELD_NAME]?.[0];
  return key === undefined || key === '' ? null : [FIELD_NAME, key];
}

/**
 * Prevents a form from taking effect twice. A form with a key runs in one transaction. If a form that has succeeded is
 * sent again with the same key, nothing is done, and the response redirects to the same page as the first time. The
 * hashes of these keys are stored in the same table as the hashes of the API's idempotency keys (RETRY-1). The hashed
 * text of a form's key begins with `form `, so that its hash differs from the hash of the same key in the API.
 */
@Injectable()
export class FormKeys {
  constructor(private readonly responses: StoredResponses) {}

  /** @throws Refusal 409 `request_in_progress` if another request with the key is still in progress after one second */
  async once(
    request: FastifyRequest,
    account: number,
    raw: RawFields,
    action: () => Promise<Redirect>,
  ): Promise<Redirect> {
    const key = keyFieldIn(raw)?.[1];
    if (key === undefined) return action();
    const fingerprint = fingerprintOf('FORM', pathOf(request.url), contentOf(typed(raw)));
    const keyHash = hash('sha256', `form ${key}`, 'base64url');
    const begun =
      (await this.responses.find({ account, keyHash })) ??
      (await this.responses.begin(account, keyHash, request.isMultipart()));
    if (!('unit' in begun)) return redirectOf(begun, fingerprint);
    request.unit = begun.unit;
    try {
      const redirect = await action();
      const other = await this.responses.finish(begun, responseOf(redirect, fingerprint));
      return other ? redirectOf(other, fingerprint) : redirect;
    } catch (error) {
      const other = await this.responses.afterError(begun);
      if (other) return redirectOf(other, fingerprint);
      throw error;
    }
  }
}

function responseOf({ path, flash }: Redirect, fingerprint: string): StoredResponse {
  return { fingerprint, status: 303, type: null, location: path, body: JSON.stringify(flash) };
}

/**
 * Redirects to the same page as the first submission: with the same message, or with `form_sent_before` if the typed
 * values differ.
 */
function redirectOf({ fingerprint, location, body }: StoredResponse, sentFingerprint: string): Redirect {
  if (fingerprint !== sentFingerprint) return redirectTo(location ?? '/', 'form_sent_before');
  return new Redirect(location ?? '/', JSON.parse(body) as Redirect['flash']);
}

/** The fields that the person fills in. The names of hidden fields for keys and tokens begin with `_`. */
function typed(raw: RawFields): RawFields {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !name.startsWith('_')));
}

import { createHmac } from 'node:crypto';
import { Injectable, mixin, type PipeTransform, type Type } from '@nestjs/common';
import Hashids from 'hashids';
import { Refusal } from './refusal';

/**
 * The kinds of ids in the API. Each kind has its own salt, so that an id never refers to a resource of another kind.
 */
export const PUBLIC_ID_KINDS = [
  'user',
  'token',
  'event',
  'event_image',
  'series',
  'group',
  'post',
  'comment',
  'expense',
  'payment',
  'puls',
  'photo',
  'report',
  'decision',
  'notice',
  'webhook',
  'webhook_delivery',
  'change',
  'passkey',
  'request',
  'message',
  'app',
  'door_link',
] as const;
export type PublicIdKind = (typeof PUBLIC_ID_KINDS)[number];

/** The alphabet contains only letters, so that no hashid can be read as a number (WIRE-1). */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MIN_LENGTH = 8;
/** Maximum length of a text that `decode` accepts. The hashids of all safe integers are shorter. */
const MAX_LENGTH = 24;
const NUMERIC = /^[1-9]\d{0,14}$/;

/**
 * The salt that is stored for a kind when the service starts with this kind for the first time. Later starts read the
 * stored salt, so the ids stay the same if the secret changes.
 */
export function derivedSalt(secret: string, kind: PublicIdKind): string {
  return createHmac('sha256', secret).update(`public-id:${kind}`).digest('hex');
}

/** Converts numeric ids of the database to hashids of the API and back. */
export class PublicIds {
  private readonly codecs: ReadonlyMap<PublicIdKind, Hashids>;

  /** @param salts the installation's salts; with other salts, the ids differ */
  constructor(salts: ReadonlyMap<PublicIdKind, string>) {
    this.codecs = new Map([...salts].map(([kind, salt]) => [kind, new Hashids(salt, MIN_LENGTH, ALPHABET)]));
  }

  encode(kind: PublicIdKind, id: number): string {
    return this.codec(kind).encode(id);
  }

  /** Returns the numeric id of the database; null if the text is not an id of this kind. Rows are not looked up. */
  decode(kind: PublicIdKind, hashid: string): number | null {
    if (hashid.length < MIN_LENGTH || hashid.length > MAX_LENGTH || !/^[a-zA-Z]+$/.test(hashid)) return null;
    const [id, ...rest] = this.codec(kind).decode(hashid);
    return typeof id === 'number' && rest.length === 0 && Number.isSafeInteger(id) ? id : null;
  }

  /** Like `decode` for the id of an event, but also accepts the numeric id (WIRE-2). */
  decodeEvent(value: string): number | null {
    return NUMERIC.test(value) ? Number(value) : this.decode('event', value);
  }

  private codec(kind: PublicIdKind): Hashids {
    const codec = this.codecs.get(kind);
    if (!codec) throw new Error(`There is no salt for ids of the kind ${kind}.`);
    return codec;
  }
}

/** `@Param('id', EventIdPipe) id: number` accepts a hashid or the numeric id. Other texts cause a 404. */
@Injectable()
export class EventIdPipe implements PipeTransform<string, number> {
  constructor(private readonly ids: PublicIds) {}

  transform(value: string): number {
    const id = this.ids.decodeEvent(value);
    if (id === null) throw new Refusal('not_found');
    return id;
  }
}

/**
 * With `const ReportIdPipe = idPipe('report')`, `@Param('id', ReportIdPipe) id: number` accepts a hashid of that kind.
 * Other texts cause a 404.
 */
export function idPipe(kind: Exclude<PublicIdKind, 'event'>): Type<PipeTransform<string, number>> {
  @Injectable()
  class HashidPipe implements PipeTransform<string, number> {
    constructor(private readonly ids: PublicIds) {}

    transform(value: string): number {
      const id = this.ids.decode(kind, value);
      if (id === null) throw new Refusal('not_found');
      return id;
    }
  }
  return mixin(HashidPipe);
}

/**
 * `@Param('imageId', ImageIdPipe) imageId: number` accepts the id of a part of another resource. An invalid id becomes
 * 0, which is no row's id. An invalid id does not cause an immediate 404, because the rights to the whole resource must
 * be checked before the existence of the part (WIRE-4, WIRE-37).
 */
export function partIdPipe(kind: PublicIdKind): Type<PipeTransform<string, number>> {
  @Injectable()
  class PartIdPipe implements PipeTransform<string, number> {
    constructor(private readonly ids: PublicIds) {}

    transform(value: string): number {
      return (kind === 'event' ? this.ids.decodeEvent(value) : this.ids.decode(kind, value)) ?? 0;
    }
  }
  return mixin(PartIdPipe);
}

// Pipes that several controllers use.
export const AppIdPipe = idPipe('app');
export const CommentIdPipe = idPipe('comment');
export const DecisionIdPipe = idPipe('decision');
export const ExpenseIdPipe = partIdPipe('expense');
export const GroupIdPipe = idPipe('group');
export const ImageIdPipe = partIdPipe('event_image');
export const PaymentIdPipe = partIdPipe('payment');
export const PhotoIdPipe = partIdPipe('photo');
export const PulsIdPipe = idPipe('puls');
export const SeriesIdPipe = idPipe('series');
export const WebhookIdPipe = idPipe('webhook');

import { Injectable, mixin, type PipeTransform, type Type } from '@nestjs/common';
import { PublicIds, type PublicIdKind } from './public-ids';
import { Refusal } from './refusal';

/** `@Param('id', EventIdPipe) id: number`: a hashid or the numeric id; 404 for anything else. */
@Injectable()
export class EventIdPipe implements PipeTransform<string, number> {
  constructor(private readonly ids: PublicIds) {}

  transform(value: string): number {
    const id = this.ids.decodeEvent(value);
    if (id === null) throw new Refusal('not_found');
    return id;
  }
}

/** `@Param('id', idPipe('series')) id: number`: a hashid of that kind; 404 for anything else. */
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
 * `@Param('imageId', partIdPipe('event_image')) imageId: number`: what is within something else. 0, which is nobody's, for what is
 * no id: a stranger is told first that the whole is not theirs (WIRE-4, WIRE-37).
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

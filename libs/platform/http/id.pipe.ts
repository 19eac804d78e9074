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

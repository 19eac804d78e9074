import { Get, Header, Query } from '@nestjs/common';
import { searchPlaces, type NamedPlace } from '#platform/places/place-names';
import { FileController } from '../page.decorators';

/** /places: suggestions for place fields of forms; the map for picking a place also uses them (PLACE-1). */
@FileController()
export class PlacePages {
  @Get('places')
  @Header('cache-control', 'public, max-age=86400')
  search(@Query('q') text: unknown): { readonly data: readonly NamedPlace[] } {
    return { data: typeof text === 'string' ? searchPlaces(text) : [] };
  }
}

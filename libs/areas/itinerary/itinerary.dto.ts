import { LIMITS } from '#contract/limits';
import {
  BooleanField,
  IntegerField,
  LatitudeField,
  LongitudeField,
  ObjectListField,
  TextField,
  TitleField,
} from '#platform/http/fields';

const { itinerary } = LIMITS;

/** One stop of a plan. */
export class StopDto {
  @TextField({ ...itinerary.stop.title, description: 'name of the stop' })
  title?: string | null;

  @TextField({ ...itinerary.stop.notes, description: 'plain text' })
  notes?: string | null;

  @TextField({ ...itinerary.stop.location_name, description: 'name of the place' })
  location_name?: string | null;

  @LatitudeField({ description: 'only together with longitude' })
  latitude?: number | null;

  @LongitudeField({ description: 'only together with latitude' })
  longitude?: number | null;

  @IntegerField({ ...itinerary.stop.duration_minutes, nullable: true, description: 'how long the stop takes' })
  duration_minutes?: number | null;
}

/** Body of PUT /events/{id}/itinerary: the whole plan. */
export class PutItineraryDto {
  @TitleField({ ...itinerary.title, required: true, description: 'name of the plan' })
  title: string;

  @TextField({ ...itinerary.description, description: 'plain text' })
  description?: string | null;

  @BooleanField({ nullable: false, default: false, description: 'whether the plan also has a public page' })
  is_public?: boolean;

  @ObjectListField(() => StopDto, { ...itinerary.stops, required: true, description: 'in the order of the plan' })
  stops: StopDto[];
}

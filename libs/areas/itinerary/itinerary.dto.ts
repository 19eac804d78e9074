import { LIMITS } from '#contract/limits';
import { BooleanField, IntegerField, LatitudeField, LongitudeField, ObjectListField, TextField, TitleField } from '#platform/http/fields';

const { itinerary } = LIMITS;

/** One stop of a plan. */
export class StopDto {
  @TextField(itinerary.stop.title)
  title?: string | null;

  @TextField(itinerary.stop.notes)
  notes?: string | null;

  @TextField(itinerary.stop.location_name)
  location_name?: string | null;

  @LatitudeField({ description: 'together with longitude' })
  latitude?: number | null;

  @LongitudeField({ description: 'together with latitude' })
  longitude?: number | null;

  @IntegerField({ ...itinerary.stop.duration_minutes, nullable: true })
  duration_minutes?: number | null;
}

/** Body of PUT /events/{id}/itinerary: the whole plan. */
export class PutItineraryDto {
  @TitleField({ ...itinerary.title, required: true })
  title: string;

  @TextField(itinerary.description)
  description?: string | null;

  @BooleanField({ nullable: false, default: false, description: 'whether the plan also has a public page' })
  is_public?: boolean;

  @ObjectListField(() => StopDto, { ...itinerary.stops, required: true, description: 'in order' })
  stops: StopDto[];
}

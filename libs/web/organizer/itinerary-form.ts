import { area, check, formPlan, number, rows, text } from '../form/plan';
import { rowNumbers, type RawFields } from '../form/raw-fields';

/** The name of the button that adds an empty row for a stop. */
export const ADD_STOP = '_add_stop';

const STOPS = rows(
  'stops',
  'plan_stops',
  'plan_stop',
  [
    text('title', 'plan_stop_title'),
    text('location_name', 'plan_stop_place'),
    number('duration_minutes', 'plan_stop_minutes'),
    area('notes', 'plan_stop_notes'),
    number('latitude', 'lat'),
    number('longitude', 'lng'),
  ],
  { more: { title: 'coordinates', titleIfSet: 'coordinates_set', names: ['latitude', 'longitude'] } },
);

/** The form of /events/{id}/itinerary/edit. */
export const ITINERARY_FORM = formPlan(
  'itinerary',
  {
    fields: [
      text('title', 'plan_title', { required: true }),
      area('description', 'plan_description'),
      check('is_public', 'plan_is_public'),
    ],
  },
  {
    title: 'plan_stops',
    fields: [STOPS],
  },
);

/** The sent fields with one more empty row for a stop. */
export function withNewStop(raw: RawFields): RawFields {
  const row = Math.max(-1, ...rowNumbers(STOPS, raw)) + 1;
  return { ...raw, [`stops.${row}.title`]: [''] };
}

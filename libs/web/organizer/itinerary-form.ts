import { area, check, formPlan, number, rows, text } from '../form/plan';

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
    fields: [
      rows(
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
        { more: { title: 'coordinates', names: ['latitude', 'longitude'] } },
      ),
    ],
  },
);

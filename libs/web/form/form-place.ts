import type { Validated } from '#platform/http/input';
import { Refusal } from '#platform/http/refusal';
import type { MessageKey } from '#platform/messages/catalogue';
import { isNameOfPlaceAt } from '#platform/places/place-names';
import { textIn } from '../forms';
import { sentPlace, type SentPlace } from '../places/sent-place';
import { isAsShown, nonEmptyTexts } from './as-shown';
import type { FormPlan } from './plan';
import type { FormReader, RawFields } from './raw-fields';
import type { Shown } from './shown';

/** The place with the sent name. The place is used only if latitude and longitude are empty or unchanged (PLACE-3). */
export function placeOf(plan: FormPlan, raw: RawFields, shown: Shown | null, reader: FormReader): SentPlace {
  const point = plan.fields.filter(({ name }) => name === 'latitude' || name === 'longitude');
  const isUsed =
    plan.fields.some(({ as }) => as === 'place') &&
    (point.every(({ name }) => nonEmptyTexts(raw[name]).every((value) => value.trim() === '')) ||
      (shown !== null && point.every((field) => isAsShown(field, raw, shown, reader))));
  return sentPlace(isUsed ? textIn(raw['place']) : undefined);
}

/**
 * Whether the sent form contains a name or an address that the name of the found place must not replace (PLACE-3). The
 * name of the place at the coordinates that the form showed does not count, because this name does not fit other
 * coordinates.
 */
export function isPlaceNamed(raw: RawFields, shown: Shown | null): boolean {
  if (textIn(raw['location_address'])?.trim()) return true;
  const name = textIn(raw['location_name'])?.trim() ?? '';
  return name !== '' && !(shown && isNameOfPlaceAt(name, shown.values['latitude'], shown.values['longitude']));
}

/**
 * Whether the form needs a point and has neither a place nor coordinates. The error is then shown at the field of the
 * place, because people fill in the place rather than coordinates.
 */
export function isPointMissing({ fields }: FormPlan, outcome: object): boolean {
  if (!(outcome instanceof Refusal) || !fields.some(({ as }) => as === 'place')) return false;
  const { latitude, longitude } = outcome.details.errors ?? {};
  return [latitude, longitude].every((errors) => errors?.[0]?.key === 'required');
}

/** Adds the error of the place to the errors of the other fields, and omits errors of latitude and longitude. */
export function withPlaceError<T>({ outcome, readWith }: Validated<T>, error: MessageKey): Validated<T> {
  const refusal = (other?: Refusal): Refusal => {
    const { latitude: _latitude, longitude: _longitude, ...errors } = other?.details.errors ?? {};
    return new Refusal('validation_failed', { errors: { ...errors, place: [{ key: error }] } });
  };
  return {
    outcome: refusal(outcome instanceof Refusal ? outcome : undefined),
    readWith: async (stored) => {
      const other = await readWith(stored).then(
        () => undefined,
        (thrown: unknown) => {
          if (thrown instanceof Refusal) return thrown;
          throw thrown;
        },
      );
      throw refusal(other);
    },
  };
}

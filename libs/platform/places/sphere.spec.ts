import fc from 'fast-check';
import { haversine } from '#testing/haversine';
import { repetitions } from '#testing/repetitions';
import { chordOf, degrees, distanceKm, EARTH_RADIUS, pointAt, radians, boundsAround, type Place } from './sphere';

const PRAGUE: Place = { lat: 50.0755, lng: 14.4378 };
const HALF_CIRCUMFERENCE = Math.PI * EARTH_RADIUS;

// WIRE-33
describe('the sphere', () => {
  it.each<[string, Place, Place, number]>([
    ['from a place to itself', PRAGUE, PRAGUE, 0],
    ['from Prague to Brno', PRAGUE, { lat: 49.1951, lng: 16.6068 }, 184.333],
    ['across the date line', { lat: -17, lng: 179.99 }, { lat: -17, lng: -179.99 }, 2.127],
    ['over the pole', { lat: 89.99, lng: 0 }, { lat: 89.99, lng: 180 }, 2.224],
    ['from pole to pole', { lat: 90, lng: 77 }, { lat: -90, lng: -5 }, HALF_CIRCUMFERENCE],
    ['to the opposite point', { lat: 0, lng: 90 }, { lat: 0, lng: -90 }, HALF_CIRCUMFERENCE],
  ])('has the correct great-circle distance %s', (_, from, to, km) => {
    expect(distanceKm(from, to)).toBeCloseTo(km, 3);
    expect(distanceKm(from, to)).toBeCloseTo(haversine(from, to), 5);
  });

  it('has a longer chord for a longer arc, up to the opposite point', () => {
    const chords = [0, 1, 10, 200, 10_000, HALF_CIRCUMFERENCE].map(chordOf);
    expect(chords).toEqual([...chords].sort((a, b) => a - b));
    expect(chords.at(-1)).toBe(2);
    expect(chordOf(2 * HALF_CIRCUMFERENCE)).toBe(2);
  });

  it('has bounds that contain every place within a given distance, also near the poles and the date line', () => {
    const place = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    const nearby = fc.tuple(
      place,
      fc.double({ min: -0.6, max: 0.6, noNaN: true }),
      fc.double({ min: -2, max: 2, noNaN: true }),
      fc.double({ min: 1, max: 200, noNaN: true }),
    );
    fc.assert(
      fc.property(nearby, ([middle, north, east, km]) => {
        const other = {
          lat: Math.max(-90, Math.min(90, middle.lat + north)),
          lng: ((middle.lng + east + 540) % 360) - 180,
        };
        const { latitudeRange, longitudeRange } = boundsAround(middle, km);
        const apart = Math.abs(middle.lng - other.lng);
        const inside =
          Math.abs(middle.lat - other.lat) <= latitudeRange &&
          (longitudeRange === null || Math.min(apart, 360 - apart) <= longitudeRange);
        expect(inside || haversine(middle, other) > km).toBe(true);
      }),
      { numRuns: repetitions('places') },
    );
    expect(boundsAround({ lat: 60 }, 50)).toEqual({
      latitudeRange: expect.closeTo(0.45, 2),
      longitudeRange: expect.closeTo(0.9, 2),
    });
    expect(boundsAround({ lat: 89.9 }, 50).longitudeRange).toBeNull();
  });

  it('has radius 1 at every point; converting an angle to radians and back returns the same angle', () => {
    for (const lat of [-90, -12.3, 0, 45, 90]) {
      const { x, y, z } = pointAt({ lat, lng: 123.4 });
      expect(Math.hypot(x, y, z)).toBeCloseTo(1, 12);
      expect(degrees(radians(lat))).toBeCloseTo(lat, 12);
    }
  });
});

import { refuseHalfAPlace } from './group.rules';

const refused = (sent: { latitude?: number | null; longitude?: number | null }): string | null => {
  try {
    refuseHalfAPlace(sent, 'latitude', 'longitude');
    return null;
  } catch (error) {
    return Object.keys((error as { details: { errors: object } }).details.errors).join();
  }
};

describe('the place of a group', () => {
  it.each([
    [{}, null],
    [{ latitude: 50, longitude: 14 }, null],
    [{ latitude: 0, longitude: 0 }, null],
    [{ latitude: null, longitude: null }, null],
    [{ latitude: 50 }, 'longitude'],
    [{ longitude: 14 }, 'latitude'],
    [{ latitude: 50, longitude: null }, 'longitude'],
    [{ latitude: null, longitude: 14 }, 'latitude'],
    [{ latitude: null }, 'longitude'],
    [{ longitude: null }, 'latitude'],
  ])('of %j is refused on %s', (sent, field) => {
    expect(refused(sent)).toBe(field);
  });
});

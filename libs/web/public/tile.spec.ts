import { distanceText } from './tile';

// PAGE-16
describe('a distance', () => {
  it('has the decimal separator of the language', () => {
    expect([distanceText(1.25, 'cs'), distanceText(1.25, 'en'), distanceText(2, 'cs')]).toEqual([
      '1,3\u00a0km',
      '1.3 km',
      '2,0\u00a0km',
    ]);
  });

  it('is shown as “very near” below 100 metres', () => {
    expect([distanceText(0, 'en'), distanceText(0.099, 'cs'), distanceText(0.1, 'en')]).toEqual([
      'very near',
      'hned vedle',
      '0.1 km',
    ]);
  });
});

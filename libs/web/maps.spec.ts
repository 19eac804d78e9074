import { mapTiles } from './maps';

// PAGE-33
describe('the tiles of maps', () => {
  it.each([
    ['https://tile.openstreetmap.org/{z}/{x}/{y}.png', 'https://tile.openstreetmap.org'],
    ['https://{s}.tiles.example.org:8443/a/{z}/{x}/{y}@2x.png?key=1', 'https://*.tiles.example.org:8443'],
    ['http://127.0.0.1:9000/{z}/{x}/{y}', 'http://127.0.0.1:9000'],
  ])('with the configured address %s are allowed only from %s', (url, origin) => {
    expect(mapTiles(url)).toEqual({ url, origin });
  });

  it('are turned off if no address is configured', () => {
    expect(mapTiles(null)).toBeNull();
  });
});

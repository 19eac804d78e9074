import { mapTiles } from './maps';

// PAGE-33
describe('the tiles of maps', () => {
  it.each([
    ['https://tile.openstreetmap.org/{z}/{x}/{y}.png', 'https://tile.openstreetmap.org'],
    ['https://{s}.tiles.example.org:8443/a/{z}/{x}/{y}@2x.png?key=1', 'https://*.tiles.example.org:8443'],
    ['http://127.0.0.1:9000/{z}/{x}/{y}', 'http://127.0.0.1:9000'],
  ])('are allowed only from the origin of the configured address, %s, with `*.` for several hosts', (url, origin) => {
    expect(mapTiles(url)).toEqual({ url, origin });
  });

  it('are turned off if no address is configured', () => {
    expect(mapTiles(null)).toBeNull();
  });
});

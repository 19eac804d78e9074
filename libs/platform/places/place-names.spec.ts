import { labelOfPlace, findPlace, searchPlaces } from './place-names';

const namesOf = (text: string) => searchPlaces(text).map(({ name }) => name);
const labelFor = (text: string) => {
  const found = findPlace(text);
  return found.is === 'one' ? labelOfPlace(found.place) : found.is;
};

// PLACE-1
describe('the search for places', () => {
  it.each([
    ['praha', 'Praha'],
    ['PRAHA 1', 'Praha 1'],
    ['Prag', 'Praha'],
    ['plzen', 'Plzeň'],
    ['budejovice', 'České Budějovice'],
    ['Žižkov', 'Žižkov'],
    ['kralovo pole', 'Brno-Královo Pole'],
    ['poruba', 'Ostrava-Poruba'],
    ['Plzeň 3', 'Plzeň 3'],
    ['doubravka', 'Plzeň 4'],
    ['Skvrňany', 'Skvrňany'],
    ['Boží Dar', 'Boží Dar'],
    ['Wien', 'Vienna'],
    ['lodz', 'Łódź'],
  ])('for the text %j finds: %s', (text, name) => expect(namesOf(text)).toContain(name));

  it('lists at most ten places, the biggest first', () => {
    expect(namesOf('nov')).toHaveLength(10);
    expect(namesOf('praha').slice(0, 2)).toEqual(['Praha', 'Praha 4']);
  });

  it('finds a place by one of its other names only if this name begins with the text', () => {
    expect(namesOf('Indore Madhya')).toEqual(['Indore']);
    expect(namesOf('Pra')).not.toContain('Indore');
  });

  it.each(['', 'p', ' p ', '...', 'x'.repeat(61)])('finds nothing for the text %j', (text) =>
    expect(namesOf(text)).toEqual([]),
  );

  it('finds districts of Praha, Plzeň, Brno and Ostrava', () => {
    const districts = [
      ...Array.from({ length: 22 }, (_, n) => `Praha ${n + 1}`),
      ...Array.from({ length: 10 }, (_, n) => `Plzeň ${n + 1}`),
      'Brno-střed',
      'Brno-Líšeň',
      'Slezská Ostrava',
      'Ostrava-Svinov',
    ];
    for (const district of districts) expect(namesOf(district)).toContain(district);
  });
});

// PLACE-2
describe('the place that a text refers to', () => {
  it.each([
    ['Praha', 'Praha, Praha'],
    ['brno', 'Brno, Jihomoravský kraj'],
    ['Vienna', 'Vienna, Vienna'],
    ['Doubravka', 'Plzeň 4, Plzeňský kraj'],
    ['Nová Ves', 'several'],
    ['Springfield', 'several'],
    ['Springfield, Illinois', 'Springfield, Illinois'],
    ['Nikde nad Ničím', 'none'],
    ['Pra', 'none'],
    ['', 'none'],
  ])('for the text %j is: %s', (text, expected) => expect(labelFor(text)).toBe(expected));

  it('can be several places; places whose own name is the text come first', () => {
    const found = findPlace('Lhota');
    const isOwnName = found.is === 'several' ? found.places.map(({ name }) => name === 'Lhota') : [];
    expect(isOwnName[0]).toBe(true);
    expect(isOwnName).toEqual(isOwnName.toSorted((one, other) => Number(other) - Number(one)));
  });

  it('is the suggested place itself, if the text is the label of a suggestion', () => {
    const found = findPlace('Nová Ves');
    const places = found.is === 'several' ? found.places : [];
    expect(places.length).toBeGreaterThan(1);
    for (const place of places) expect(findPlace(labelOfPlace(place))).toEqual({ is: 'one', place });
  });
});

import { PartialType } from '@nestjs/swagger';
import { toWire } from '../time/wire-time';
import {
  BooleanField,
  DateTimeField,
  DayField,
  EnumField,
  EnumListField,
  FixedField,
  HashidField,
  IntegerField,
  LatitudeField,
  LongitudeField,
  NumberField,
  ObjectListField,
  SlugField,
  SlugListField,
  TextField,
  TitleField,
  UrlField,
} from './fields';
import { readInput, type InputFormat } from './input';
import { Refusal } from './refusal';

class PlaceDto {
  @TextField({ max: 10, required: true })
  name: string;
}

class StopDto {
  @TextField({ max: 5, required: true })
  title: string;

  @IntegerField({ min: 1, max: 1440, nullable: true })
  duration_minutes?: number | null;

  @ObjectListField(() => PlaceDto, { max: 2, nullable: true })
  places?: PlaceDto[] | null;
}

class AnyDto {
  @TextField({ min: 3, max: 5 }) text?: string | null;
  @TextField({ max: 5, nullable: false }) never_null_text?: string;
  @TitleField({ max: 5, nullable: false }) title?: string;
  @EnumField(['open', 'request']) mode?: string;
  @IntegerField({ min: 2, max: 100 }) integer?: number;
  @NumberField({ min: 0.01, max: 999_999, decimals: 2, nullable: true }) amount?: number | null;
  @BooleanField() flag?: boolean;
  @DateTimeField({ nullable: true }) at?: Date | null;
  @DayField() day?: string;
  @FixedField() fixed?: undefined;
  @LatitudeField() lat?: number | null;
  @LongitudeField() lng?: number | null;
  @UrlField({ max: 40 }) url?: string | null;
  @HashidField() group?: string;
  @HashidField({ orNumber: true, nullable: true }) event_id?: string | null;
  @SlugField() user?: string;
  @EnumListField(['kolo', 'mista', 'asie'], { min: 1, max: 2, unique: true }) categories?: string[];
  @SlugListField({ max: 4 }) shared_with?: string[];
  @ObjectListField(() => StopDto, { min: 1, max: 3 }) stops?: StopDto[];
}

type Outcome = Record<string, string[]>;

/** Returns for each refused field the keys of its errors. Returns null if the input is accepted. */
async function refusalOf(dto: new () => object, raw: unknown, format: InputFormat = 'json'): Promise<Outcome | null> {
  try {
    await readInput(dto, raw, format);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).toBe('validation_failed');
    return Object.fromEntries(
      Object.entries(error.details.errors ?? {}).map(([field, texts]) => [field, texts.map(({ key }) => key)]),
    );
  }
}

/** One character that consists of two UTF-16 code units. */
const HORSE = '🐎';

// WIRE-14, WIRE-11, WIRE-17
describe('a field of a JSON body', () => {
  it.each<[keyof AnyDto, unknown, unknown]>([
    ['text', 'abc', 'abc'],
    ['text', '  abcde\n', 'abcde'],
    ['text', HORSE.repeat(5), HORSE.repeat(5)],
    ['text', '<b>', '<b>'],
    ['text', '   ', null],
    ['text', ' \u0007a\u001bb\tc\u009f ', 'ab\tc'],
    ['text', '\u0007 \u001b', null],
    ['mode', 'op\u0007en', 'open'],
    ['title', 'a\u200b', 'a\u200b'],
    ['text', '', null],
    ['text', null, null],
    ['mode', ' open ', 'open'],
    ['integer', 2, 2],
    ['integer', 1e2, 100],
    ['amount', 0.07, 0.07],
    ['amount', 999_998.99, 999_998.99],
    ['amount', null, null],
    ['flag', false, false],
    ['day', '2028-02-29', '2028-02-29'],
    ['lat', -90, -90],
    ['lat', -0, 0],
    ['lng', 180, 180],
    ['lng', null, null],
    ['url', 'https://example.org/ž?a=1#b', 'https://example.org/ž?a=1#b'],
    ['url', 'HTTP://localhost', 'HTTP://localhost'],
    ['group', 'AbCd', 'AbCd'],
    ['event_id', 17, '17'],
    ['event_id', 'xYz', 'xYz'],
    ['categories', [' kolo ', 'asie'], ['kolo', 'asie']],
    ['shared_with', [], []],
    ['shared_with', ['jana', 'jana'], ['jana', 'jana']],
  ])('%s with the value %j is read as %j', async (field, raw, value) => {
    expect(await readInput(AnyDto, { [field]: raw }, 'json')).toEqual({ [field]: value });
  });

  it.each<[keyof AnyDto, unknown, string]>([
    ...[5, true, [], ['abc'], {}, { a: 1 }].map((raw): [keyof AnyDto, unknown, string] => ['text', raw, 'string']),
    ['text', 'ab', 'too_short'],
    ['text', HORSE.repeat(2), 'too_short'],
    ['text', 'abcdef', 'too_long'],
    ['text', HORSE.repeat(6), 'too_long'],
    ['text', 'a'.repeat(100_000), 'too_long'],
    ['text', 'ab\0c', 'characters'],
    ['text', 'ab\ud800', 'characters'],
    ['text', '\udc00\ud800ab', 'characters'],
    ['title', '\u200b\u2060', 'invisible'],
    ['title', '\u200b\u200b\u200b\u200b\u200b\u200b', 'too_long'],
    ['title', null, 'not_null'],
    ['never_null_text', null, 'not_null'],
    ['never_null_text', ' ', 'not_null'],
    ['mode', 'OPEN', 'one_of'],
    ['mode', 'toString', 'one_of'],
    ['mode', ['open'], 'one_of'],
    ['mode', null, 'not_null'],
    ['integer', '5', 'integer'],
    ['integer', '', 'integer'],
    ['integer', 2.5, 'integer'],
    ['integer', true, 'integer'],
    ['integer', 1, 'too_small'],
    ['integer', 101, 'too_large'],
    ['integer', 1e300, 'too_large'],
    ['integer', Infinity, 'integer'],
    ['integer', [5], 'integer'],
    ['amount', 0.001, 'too_small'],
    ['amount', 1.005, 'decimals'],
    ['amount', '1.5', 'number'],
    ['amount', NaN, 'number'],
    ['amount', 1_000_000, 'too_large'],
    ['flag', 1, 'boolean'],
    ['flag', 'true', 'boolean'],
    ['flag', null, 'not_null'],
    ['at', '2026-11-20', 'datetime'],
    ['at', '2026-02-30T10:00:00Z', 'datetime'],
    ['at', 1_763_661_600, 'datetime'],
    ['at', {}, 'datetime'],
    ['day', '2026-02-29', 'day'],
    ['day', 20261120, 'day'],
    ...[5, 'x', '', null, false, [], {}].map((raw): [keyof AnyDto, unknown, string] => [
      'fixed',
      raw,
      'not_changeable',
    ]),
    ['lat', 90.0001, 'too_large'],
    ['lat', '50', 'number'],
    ['lng', -180.0001, 'too_small'],
    ['url', 'example.org', 'url'],
    ['url', 'https://a:b@example.org', 'url_with_login'],
    ['url', 'https://a@example.org', 'url_with_login'],
    ['url', 'http://', 'url'],
    ['url', 'http:///example.org', 'url'],
    ['url', 'http://\\example.org', 'url'],
    ['url', '://x', 'url'],
    ['url', 'javascript:alert(1)', 'url'],
    ['url', 'https://exa mple.org', 'url'],
    ['url', 'ftp://example.org', 'url'],
    ['url', `https://example.org/${'a'.repeat(40)}`, 'too_long'],
    ['url', 5, 'string'],
    ['group', 5, 'string'],
    ['event_id', 1.5, 'string'],
    ['event_id', [1], 'string'],
    ['user', null, 'not_null'],
    ['categories', 'kolo', 'list'],
    ['categories', { 0: 'kolo', length: 1 }, 'list'],
    ['categories', [], 'list_too_short'],
    ['categories', ['kolo', 'mista', 'asie'], 'list_too_long'],
    ['stops', 'x', 'list'],
    ['stops', {}, 'list'],
    ['stops', [], 'list_too_short'],
    ['stops', new Array(100_000).fill({ title: 'a' }), 'list_too_long'],
  ])('%s with the value %j is refused with the error %s', async (field, raw, key) => {
    expect(await refusalOf(AnyDto, { [field]: raw })).toEqual({ [field]: [key] });
  });

  // WIRE-7
  it('is read as a point in time, if the field is a datetime', async () => {
    expect(toWire((await readInput(AnyDto, { at: ' 2026-11-20T18:00:00 ' }, 'json')).at as Date)).toBe(
      '2026-11-20T17:00:00Z',
    );
    expect(await readInput(AnyDto, { at: '' }, 'json')).toEqual({ at: null });
  });

  // WIRE-18
  it('causes errors with the index of the wrong item, if the field is a list', async () => {
    expect(await refusalOf(AnyDto, { categories: ['kolo', 'x'] })).toEqual({ 'categories.1': ['one_of'] });
    expect(await refusalOf(AnyDto, { categories: ['kolo', 'kolo'] })).toEqual({ 'categories.1': ['repeated'] });
    expect(await refusalOf(AnyDto, { shared_with: ['jana', 5, null, ''] })).toEqual({
      'shared_with.1': ['string'],
      'shared_with.2': ['not_null'],
      'shared_with.3': ['not_null'],
    });
  });

  // WIRE-18
  it('causes errors with the index and field of the wrong object, if the field is a list of objects', async () => {
    const stops = [
      { title: 'a', places: [{ name: 'b' }] },
      { duration_minutes: 0 },
      { title: 'toolong', places: [{ name: 5 }] },
    ];
    expect(await refusalOf(AnyDto, { stops })).toEqual({
      'stops.1.title': ['required'],
      'stops.1.duration_minutes': ['too_small'],
      'stops.2.title': ['too_long'],
      'stops.2.places.0.name': ['string'],
    });
    expect(await refusalOf(AnyDto, { stops: [{ title: 'a', places: ['x'] }, null, 'x'] })).toEqual({
      'stops.1': ['object'],
      'stops.2': ['object'],
      'stops.0.places.0': ['object'],
    });
    expect(await refusalOf(AnyDto, { stops: [[], [{ title: 'a' }]] })).toEqual({
      'stops.0': ['object'],
      'stops.1': ['object'],
    });
    const [stop] =
      (await readInput(AnyDto, { stops: [{ title: ' a ', position: 3, places: [{ name: 'b', x: 1 }] }] }, 'json'))
        .stops ?? [];
    expect(stop).toBeInstanceOf(StopDto);
    expect(stop).toEqual({ title: 'a', places: [{ name: 'b' }] });
  });
});

// WIRE-14
describe('a field of a query or form, whose value is a text', () => {
  it.each<[keyof AnyDto, unknown, unknown]>([
    ['integer', '5', 5],
    ['integer', ' +5 ', 5],
    ['integer', '5.0', 5],
    ['amount', '1.50', 1.5],
    ['amount', '.5', 0.5],
    ['amount', '', null],
    ['lat', '-50.08', -50.08],
    ['flag', '1', true],
    ['flag', 'false', false],
    ['text', '12345', '12345'],
    ['event_id', '17', '17'],
    ['shared_with', 'jana', ['jana']],
    ['shared_with', ['jana', 'petr'], ['jana', 'petr']],
  ])('%s with the value %j is read as %j', async (field, raw, value) => {
    expect(await readInput(AnyDto, { [field]: raw }, 'text')).toEqual({ [field]: value });
  });

  it.each<[keyof AnyDto, unknown, string]>([
    ['integer', '5.5', 'integer'],
    ['integer', '1e1', 'integer'],
    ['integer', '0x10', 'integer'],
    ['integer', 'abc', 'integer'],
    ['integer', '', 'not_null'],
    ['integer', ['5', '6'], 'integer'],
    ['integer', '9'.repeat(25), 'too_large'],
    ['integer', '9'.repeat(400), 'integer'],
    ['amount', '1,5', 'number'],
    ['amount', 'Infinity', 'number'],
    ['flag', 'yes', 'boolean'],
    ['flag', 'TRUE', 'boolean'],
    ['mode', ['open', 'open'], 'one_of'],
    ['text', ['abc', 'def'], 'string'],
  ])('%s with the value %j is refused with the error %s', async (field, raw, key) => {
    expect(await refusalOf(AnyDto, { [field]: raw }, 'text')).toEqual({ [field]: [key] });
  });
});

class CreateDto {
  @TextField({ min: 3, max: 10, required: true }) title: string;
  @TextField({ max: 10 }) note?: string | null;
  @BooleanField() flag?: boolean;
}

class CreateMoreDto extends CreateDto {
  @IntegerField({ required: true }) count: number;
  @TextField({ max: 20 }) declare note?: string | null;
}

class UpdateDto extends PartialType(CreateMoreDto, { skipNullProperties: false }) {
  @EnumField(['active', 'cancelled']) status?: string;
}

describe('fields of a DTO', () => {
  it.each([
    [CreateDto, {}, { title: ['required'] }],
    [CreateDto, undefined, { title: ['required'] }],
    [CreateDto, { title: null }, { title: ['required'] }],
    [CreateDto, { title: ' ' }, { title: ['required'] }],
    [CreateDto, { title: undefined }, { title: ['required'] }],
    [UpdateDto, {}, null],
    [UpdateDto, { title: null }, { title: ['not_null'] }],
    [UpdateDto, { count: null }, { count: ['not_null'] }],
    [UpdateDto, { title: 'ab', status: 'x' }, { title: ['too_short'], status: ['one_of'] }],
    [CreateDto, [], { body: ['body_unreadable'] }],
    [CreateDto, 'x', { body: ['body_unreadable'] }],
  ])('of the class %p cause, for the body %j, the errors %j (null: no errors)', async (dto, raw, refusal) =>
    expect(await refusalOf(dto, raw)).toEqual(refusal),
  );

  // WIRE-23
  it('are null if the body contains null for them, and are not set if the body does not contain them', async () => {
    const dto = await readInput(UpdateDto, { note: null }, 'json');
    expect(dto).toBeInstanceOf(UpdateDto);
    expect(Object.keys(dto)).toEqual(['note']);
    expect(dto.note).toBeNull();
  });

  it('can be redeclared by a subclass', async () => {
    expect(
      (await readInput(CreateMoreDto, { title: 'abc', count: 1, note: 'n'.repeat(20) }, 'json')).note,
    ).toHaveLength(20);
    expect(await refusalOf(CreateMoreDto, { title: 'abc', count: 1, note: 'n'.repeat(21) })).toEqual({
      note: ['too_long'],
    });
  });

  it('cause errors in the order of the declarations, inherited fields first', async () => {
    expect(Object.keys((await refusalOf(CreateMoreDto, { flag: 3, note: 5 })) ?? {})).toEqual([
      'title',
      'note',
      'flag',
      'count',
    ]);
  });
});

describe('hostile bodies', () => {
  it.each([
    '{"__proto__":{"flag":true},"title":"abc"}',
    '{"constructor":5,"title":"abc"}',
    '{"constructor":{"prototype":{"x":1}},"title":"abc"}',
    '{"toString":"x","valueOf":1,"hasOwnProperty":1,"then":1,"title":"abc"}',
    '{"a":{"constructor":{"name":"Date"},"then":"x"},"title":"abc"}',
    '{"title":"abc","x":{"y":[1,{"z":null}]}}',
  ])('are read without their unknown fields: %s', async (json) => {
    const dto = await readInput(CreateDto, JSON.parse(json) as unknown, 'json');
    expect(Object.keys(dto)).toEqual(['title']);
    expect(dto).toBeInstanceOf(CreateDto);
    expect(({} as Record<string, unknown>).flag).toBeUndefined();
  });

  it.each([
    '{"constructor":5}',
    '{"then":5}',
    '{"constructor":{"prototype":null}}',
    '{"__proto__":null}',
    '[[[[]]]]',
    '{"length":1e9}',
  ])('are refused if a field of any type has the value %s', async (json) => {
    for (const field of ['text', 'mode', 'integer', 'flag', 'at', 'url', 'group', 'categories', 'stops']) {
      expect(Object.keys((await refusalOf(AnyDto, { [field]: JSON.parse(json) as unknown })) ?? {})[0]).toMatch(
        new RegExp(`^${field}`),
      );
    }
    expect(
      await refusalOf(AnyDto, { stops: [JSON.parse(json), { title: JSON.parse(json) as unknown }] }),
    ).not.toBeNull();
  });
});

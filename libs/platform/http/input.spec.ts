import { Controller, Get, Patch, Post } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, PartialType, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import {
  DateTimeField,
  EnumField,
  EnumListField,
  IntegerField,
  NumberField,
  ObjectListField,
  TextField,
  UrlField,
} from './fields';
import { BodyInput, Input, QueryInput } from './input';
import { Violations } from './violations';
import { Refusal } from './refusal';

class PageDto {
  @IntegerField({ min: 1 }) page?: number;
  @IntegerField({ min: 1, max: 100, default: 20 }) per_page?: number;
}

class ListDto extends PageDto {
  @TextField({ max: 100, description: 'text search' }) q?: string | null;
  @EnumField(['drink', 'food']) type?: string;
}

class StopDto {
  @TextField({ max: 120, required: true }) title: string;
}

class CreateDto {
  @TextField({ min: 3, max: 100, required: true }) title: string;
  @DateTimeField({ required: true, description: 'not in the past' }) starts_at: Date;
  @EnumField(['drink', 'food']) type?: string;
  @NumberField({ min: 0, max: 10, decimals: 2, nullable: true }) price?: number | null;
  @UrlField({ max: 500 }) ticket_url?: string | null;
  @EnumListField(['a', 'b'], { min: 1, max: 3, unique: true }) categories?: string[];
  @ObjectListField(() => StopDto, { min: 1, max: 50 }) stops?: StopDto[];
}

class UpdateDto extends PartialType(CreateDto, { skipNullProperties: false }) {}

/** Returns `{ read }` with the values, or `{ errors }` with the errors of the refusal. */
function valuesOrErrors(input: Input<object>): unknown {
  try {
    return { read: input.read() };
  } catch (error) {
    return { errors: (error as Refusal).details.errors };
  }
}

@Controller('things')
class ThingsController {
  @Get()
  list(@QueryInput(ListDto) query: Input<ListDto>) {
    return valuesOrErrors(query);
  }

  @Post()
  create(@BodyInput(CreateDto) body: Input<CreateDto>, @QueryInput(PageDto) query: Input<PageDto>) {
    return { body: valuesOrErrors(body), query: valuesOrErrors(query) };
  }

  @Patch()
  update(@BodyInput(UpdateDto) body: Input<UpdateDto>) {
    return valuesOrErrors(body);
  }
}

describe('a controller with @BodyInput and @QueryInput', () => {
  let app: NestFastifyApplication;
  let document: OpenAPIObject;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ controllers: [ThingsController] }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    await app.init();
  });
  afterAll(() => app.close());

  it('converts the texts of a query to the types of the fields, and ignores unknown parameters', async () => {
    const answer = await app.inject({
      url: '/things?page=2&per_page=50&q=%20pivo%20&type=drink&unknown=1&__proto__=x&constructor=y',
    });
    expect(answer.json()).toEqual({ read: { page: 2, per_page: 50, q: 'pivo', type: 'drink' } });
    expect((await app.inject({ url: '/things' })).json()).toEqual({ read: {} });
    expect((await app.inject({ url: '/things?q=' })).json()).toEqual({ read: { q: null } });
  });

  it.each([
    ['page=0', { page: [{ key: 'too_small', values: { min: 1 } }] }],
    ['per_page=101', { per_page: [{ key: 'too_large', values: { max: 100 } }] }],
    ['per_page=x&page=1.5', { page: [{ key: 'integer' }], per_page: [{ key: 'integer' }] }],
    ['type=drink&type=food', { type: [{ key: 'one_of', values: { values: 'drink, food' } }] }],
  ])('refuses the query ?%s', async (query, errors) => {
    expect((await app.inject({ url: `/things?${query}` })).json()).toEqual({ errors });
  });

  it('reads a JSON body, and treats all fields as absent if there is no body', async () => {
    const payload = {
      title: ' Piknik ',
      starts_at: '2026-11-20T18:00:00',
      price: null,
      stops: [{ title: 'a' }],
      id: 5,
    };
    expect((await app.inject({ method: 'POST', url: '/things?page=3', payload })).json()).toEqual({
      body: { read: { title: 'Piknik', starts_at: '2026-11-20T17:00:00.000Z', price: null, stops: [{ title: 'a' }] } },
      query: { read: { page: 3 } },
    });
    expect((await app.inject({ method: 'POST', url: '/things' })).json()).toEqual({
      body: { errors: { title: [{ key: 'required' }], starts_at: [{ key: 'required' }] } },
      query: { read: {} },
    });
    expect((await app.inject({ method: 'PATCH', url: '/things' })).json()).toEqual({ read: {} });
  });

  it('declares its body and its query parameters in the OpenAPI document', () => {
    expect(document.paths['/things']?.get?.parameters).toEqual([
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1 } },
      {
        name: 'per_page',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      {
        name: 'q',
        in: 'query',
        required: false,
        description: 'text search',
        schema: { type: 'string', maxLength: 100, nullable: true },
      },
      { name: 'type', in: 'query', required: false, schema: { type: 'string', enum: ['drink', 'food'] } },
    ]);
    expect(document.paths['/things']?.post?.requestBody).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateDto' } } },
    });
    expect(document.paths['/things']?.patch?.requestBody).toMatchObject({ required: false });
    expect(document.components?.schemas).toEqual({
      StopDto: { type: 'object', properties: { title: { type: 'string', maxLength: 120 } }, required: ['title'] },
      CreateDto: { type: 'object', properties: PROPERTIES, required: ['title', 'starts_at'] },
      UpdateDto: { type: 'object', properties: PROPERTIES },
    });
  });
});

const PROPERTIES = {
  title: { type: 'string', minLength: 3, maxLength: 100 },
  starts_at: { type: 'string', format: 'date-time', example: '2026-11-20T18:00:00Z', description: 'not in the past' },
  type: { type: 'string', enum: ['drink', 'food'] },
  price: { type: 'number', minimum: 0, maximum: 10, nullable: true },
  ticket_url: { type: 'string', format: 'uri', maxLength: 500, nullable: true },
  categories: {
    type: 'array',
    items: { type: 'string', enum: ['a', 'b'] },
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
  },
  stops: { type: 'array', items: { $ref: '#/components/schemas/StopDto' }, minItems: 1, maxItems: 50 },
};

describe('violations', () => {
  // WIRE-35
  it('are reported together, and nothing is thrown if there are none', () => {
    const violations = new Violations();
    expect(() => violations.throwIfAny()).not.toThrow();
    violations
      .add('ends_at', 'after', { field: 'starts_at' })
      .add('age_max', 'not_below', { field: 'age_min' })
      .add('ends_at', 'not_changeable');
    expect(() => violations.throwIfAny()).toThrow(new Refusal('validation_failed'));
    expect(violations.refusal().details.errors).toEqual({
      ends_at: [{ key: 'after', values: { field: 'starts_at' } }, { key: 'not_changeable' }],
      age_max: [{ key: 'not_below', values: { field: 'age_min' } }],
    });
  });
});

// WIRE-19
describe('two fields that must be set together', () => {
  const fieldsWithErrors = (sent: { latitude?: number | null; longitude?: number | null }, at = ''): string =>
    Object.keys(new Violations().bothOrNone(sent, 'latitude', 'longitude', at).refusal().details.errors ?? {}).join();

  it.each([
    [{}, ''],
    [{ latitude: 50, longitude: 14 }, ''],
    [{ latitude: 0, longitude: 0 }, ''],
    [{ latitude: null, longitude: null }, ''],
    [{ latitude: 50 }, 'longitude'],
    [{ longitude: 14 }, 'latitude'],
    [{ latitude: 50, longitude: null }, 'longitude'],
    [{ latitude: null, longitude: 14 }, 'latitude'],
    [{ latitude: null }, 'longitude'],
    [{ longitude: null }, 'latitude'],
  ])('sent as %j cause an error on the field %j (empty: no error)', (sent, field) => {
    expect(fieldsWithErrors(sent)).toBe(field);
  });

  it('may be fields of a nested object', () =>
    expect(fieldsWithErrors({ latitude: 50 }, 'stops.2.')).toBe('stops.2.longitude'));
});

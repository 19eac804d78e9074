import { inVersion30 } from './version-3-0';

const NULL = { type: 'null' };

// REF-8
describe('the document in OpenAPI 3.0', () => {
  function converted(schema: object): unknown {
    const { components } = inVersion30({
      info: { license: {} },
      paths: { '/': { $ref: '#/components/schemas/Tea' } },
      components: {
        schemas: {
          Tea: { type: 'object', properties: { it: schema, kind: { $ref: '#/components/schemas/Kind' } } },
          Kind: { type: 'string', enum: ['black'] },
        },
      },
    }) as { components: { schemas: { Tea: { properties: { it: unknown } } } } };
    return components.schemas.Tea.properties.it;
  }

  const kind = { $ref: '#/components/schemas/Kind' };
  it.each<[string, object, object]>([
    ['one type', { type: ['string', 'null'], maxLength: 3 }, { type: 'string', maxLength: 3, nullable: true }],
    ['a reference', { anyOf: [kind, NULL] }, { type: 'string', nullable: true, allOf: [kind] }],
    [
      'an inline schema',
      { anyOf: [{ type: 'string', maxLength: 3 }, NULL], description: 'tea' },
      { description: 'tea', type: 'string', maxLength: 3, nullable: true },
    ],
    [
      'an inline list of values',
      { oneOf: [{ type: 'string', enum: ['black'] }, NULL] },
      { type: 'string', enum: ['black', null], nullable: true },
    ],
    [
      'a reference and another variant',
      { anyOf: [kind, { type: 'integer' }, NULL] },
      { oneOf: [{ type: 'string', nullable: true, allOf: [kind] }, { type: 'integer' }] },
    ],
  ])('expresses by `nullable` that a value can be null: %s', (_what, schema, expected) => {
    expect(converted(schema)).toEqual(expected);
  });

  it('is not created if a schema has two types besides null', () => {
    expect(() => converted({ type: ['string', 'integer', 'null'] })).toThrow('string, integer');
  });
});

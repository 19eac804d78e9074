import type { SchemaObject } from '@nestjs/swagger';

/** A DTO class. */
export type Dto<T extends object = object> = new () => T;

/** The options of `@ApiProperty` on a field. */
export type DeclaredField = Omit<SchemaObject, 'required'> & { readonly required: boolean; readonly isArray: boolean };

const cache = new WeakMap<Dto, ReadonlyMap<string, DeclaredField>>();

/** The fields of a DTO in the order of declaration, inherited fields first, from the metadata of `@ApiProperty`. */
export function fieldsOf(dto: Dto): ReadonlyMap<string, DeclaredField> {
  const prototype = dto.prototype as object;
  let fields = cache.get(dto);
  if (!fields) {
    const names = ((Reflect.getMetadata('swagger/apiModelPropertiesArray', prototype) ?? []) as string[]).map((key) =>
      key.slice(1),
    );
    const declared = (name: string) =>
      Reflect.getMetadata('swagger/apiModelProperties', prototype, name) as DeclaredField;
    cache.set(dto, (fields = new Map(names.map((name) => [name, declared(name)]))));
  }
  return fields;
}

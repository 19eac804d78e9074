import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/** What the build puts into every resource (the plugin in nest-cli.json): its own fields, as the document tells them. Sources that are run as they are have none. */
interface Described {
  readonly _OPENAPI_METADATA_FACTORY?: () => Readonly<Record<string, ApiPropertyOptions>>;
}

/**
 * `PickType` of @nestjs/swagger for what is answered: a resource with some of another's fields. That one takes validators along and loads all
 * of class-validator for it (validation-library.ts), and nothing that is answered has any.
 */
export function PickResource<Resource, Name extends keyof Resource & string>(
  resource: Type<Resource>,
  names: readonly Name[],
): Type<Pick<Resource, Name>> {
  class Picked {}
  const described = new Map(
    withParents(resource).flatMap(({ _OPENAPI_METADATA_FACTORY: describe }) => Object.entries(describe?.() ?? {})),
  );
  for (const name of names) {
    const options = described.get(name);
    if (options) ApiProperty(options)(Picked.prototype, name);
  }
  return Picked as Type<Pick<Resource, Name>>;
}

/** The class and those it extends, the first of them first. */
function withParents(resource: Type): Described[] {
  const parent = Object.getPrototypeOf(resource) as Type | null;
  return parent === null || parent === Object.getPrototypeOf(Function)
    ? [ownOf(resource)]
    : [...withParents(parent), ownOf(resource)];
}

/** Without what a class has from its parent. */
function ownOf(resource: Type): Described {
  return Object.hasOwn(resource, '_OPENAPI_METADATA_FACTORY') ? (resource as Described) : {};
}

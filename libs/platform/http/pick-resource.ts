import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/**
 * Metadata that the build's plugin (nest-cli.json) adds to every resource: its own fields for the OpenAPI document.
 * Sources that run uncompiled have none.
 */
interface Described {
  readonly _OPENAPI_METADATA_FACTORY?: () => Readonly<Record<string, ApiPropertyOptions>>;
}

/**
 * A resource with some fields of another one, like `PickType` of @nestjs/swagger. `PickType` copies validators and
 * loads all of class-validator for it (validation-library.ts), and resources have no validators.
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

/** The class and its ancestors, the oldest first. */
function withParents(resource: Type): Described[] {
  const parent = Object.getPrototypeOf(resource) as Type | null;
  return parent === null || parent === Object.getPrototypeOf(Function)
    ? [ownOf(resource)]
    : [...withParents(parent), ownOf(resource)];
}

/** Metadata of the class without its parent's. */
function ownOf(resource: Type): Described {
  return Object.hasOwn(resource, '_OPENAPI_METADATA_FACTORY') ? (resource as Described) : {};
}

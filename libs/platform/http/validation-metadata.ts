import { getMetadataStorage } from './validation-library';

type Storage = ReturnType<typeof getMetadataStorage>;
type Metadata = ReturnType<Storage['getTargetValidationMetadatas']>;
type Grouped = ReturnType<Storage['groupByPropertyName']>;

let isCached = false;

/**
 * class-validator goes through every decorated class of the process for each object it validates, and groups what it finds anew: most of
 * what validating a query costs. What it found for a class stays true, because decorators run once, when the class is declared;
 * so it is kept per class. Groups and schemas, which nobody uses here, are asked for as ever.
 */
export function cacheValidationMetadata(): void {
  if (isCached) return;
  isCached = true;
  const storage = getMetadataStorage();
  const ask: Storage['getTargetValidationMetadatas'] = storage.getTargetValidationMetadatas.bind(storage);
  const group: Storage['groupByPropertyName'] = storage.groupByPropertyName.bind(storage);
  const found = new WeakMap<object, Metadata>();
  const groups = new WeakMap<Metadata, Grouped>();

  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, inGroups) => {
    if (schema || always || strictGroups || inGroups) return ask(target, schema, always, strictGroups, inGroups);
    let metadata = found.get(target);
    if (!metadata) found.set(target, (metadata = ask(target, schema, always, strictGroups, inGroups)));
    return metadata;
  };
  storage.groupByPropertyName = (metadata) => {
    let grouped = groups.get(metadata);
    if (!grouped) groups.set(metadata, (grouped = group(metadata)));
    return grouped;
  };
}

/** The library oidc-provider, which implements the authorization server. */
export type Library = typeof import('oidc-provider');

/**
 * The beginning of the library's warning about releases of Node that are older than 22 or are not LTS. The warning is
 * not needed, because this service's tests use the library on every supported version of Node.
 */
const UNSUPPORTED_RUNTIME = 'oidc-provider WARNING: Unsupported runtime';

let loading: Promise<Library> | null = null;
let loaded: Library | null = null;

/** Loads the library once, and suppresses the library's warning about the version of Node. */
export function loadLibrary(): Promise<Library> {
  return (loading ??= withoutWarning(() => import('oidc-provider')).then((library) => (loaded = library)));
}

/**
 * The classes of the library's errors. Only code that the library itself calls may call this function, because the
 * library is certainly loaded while such code runs.
 */
export function libraryErrors(): Library['errors'] {
  if (!loaded) throw new Error('the library is not loaded');
  return loaded.errors;
}

async function withoutWarning<T>(work: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...parts: unknown[]) => {
    if (!String(parts[0]).includes(UNSUPPORTED_RUNTIME)) warn.apply(console, parts);
  };
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}

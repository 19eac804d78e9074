/** Reports each import that violates the "Five rules" of docs/ARCHITECTURE.md, or another rule below, as an error. */

/**
 * The folders from low to high: a folder imports only folders that are listed before it. scripts/layers.mjs fails if a
 * folder is not listed.
 */
const { areas: AREAS, platform: PLATFORM } = require('./libs/layers.json');

/**
 * Areas whose internal files are in subfolders. Other areas may import all files that are directly in the folder of
 * such an area, but no files in its subfolders. From an area that is not in this list, other areas may import only the
 * files directly in the area's folder whose names match `PUBLIC_NAMES`, and the area's entities as types.
 */
const AREAS_WITH_SUBFOLDERS = ['groups', 'events', 'participation', 'expenses', 'changes', 'own-data'];
const IN_AREA_WITH_SUBFOLDERS = `^libs/areas/(?:${AREAS_WITH_SUBFOLDERS.join('|')})/`;
const PUBLIC_NAMES = '[.](module|reader|commands|policy|resource|signal|dto|sql)[.]ts$';

const areaOrderRules = AREAS.map((area, i) => ({
  name: `downwards-${area}`,
  comment: `libs/areas/${area} imports only areas before it in libs/layers.json.`,
  severity: 'error',
  from: { path: `^libs/areas/${area}/` },
  to: { path: `^libs/areas/(?:${AREAS.slice(i + 1).join('|') || '$none'})/` },
}));

const platformOrderRules = PLATFORM.map((folder, i) => ({
  name: `platform-${folder}`,
  comment: `libs/platform/${folder} imports only platform folders before it in libs/layers.json.`,
  severity: 'error',
  from: { path: `^libs/platform/${folder}/`, pathNot: '[.]spec[.]ts$' },
  to: { path: '^libs/platform/', pathNot: `^libs/platform/(?:${PLATFORM.slice(0, i + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      comment:
        'Every import can be resolved. In the packages (libs/sdk, libs/conformance), an import that begins with # is an error.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'downwards-contract',
      comment: 'libs/contract imports nothing outside libs/contract.',
      severity: 'error',
      from: { path: '^libs/contract/', pathNot: '[.]spec[.]ts$' },
      to: { pathNot: '^libs/contract/' },
    },
    {
      name: 'platform-knows-no-area',
      severity: 'error',
      from: { path: '^libs/platform/' },
      to: { path: '^(libs/(areas|web)|apps)/' },
    },
    {
      name: 'downwards-areas',
      severity: 'error',
      from: { path: '^libs/areas/' },
      to: { path: '^(libs/web|apps)/' },
    },
    {
      name: 'settlement-stands-alone',
      comment:
        'libs/settlement only computes with numbers. It imports only libs/contract: no Nest, no database and no area.',
      severity: 'error',
      from: { path: '^libs/settlement/', pathNot: '[.]spec[.]ts$' },
      to: { pathNot: '^libs/(settlement|contract)/' },
    },
    {
      name: 'packages-stand-alone',
      comment:
        'The SDK and the conformance kit are separate packages: they do not import the service, and the service does not import them.',
      severity: 'error',
      from: { path: '^libs/(sdk|conformance)/' },
      to: { path: '^(apps|libs|migrations)/', pathNot: '^libs/$1/' },
    },
    {
      name: 'nobody-imports-packages',
      severity: 'error',
      from: { path: '^(apps|libs|migrations)/', pathNot: '^libs/(sdk|conformance)/' },
      to: { path: '^libs/(sdk|conformance)/' },
    },
    { name: 'downwards-web', severity: 'error', from: { path: '^libs/web/' }, to: { path: '^apps/' } },
    ...areaOrderRules,
    ...platformOrderRules,
    {
      name: 'subfolders-are-private',
      comment: 'Only area x imports the subfolders of libs/areas/x; other code imports libs/areas/x/*.ts.',
      severity: 'error',
      from: { path: '^(apps|migrations|libs/web|libs/areas)/([^/]+)', pathNot: '[.]spec[.]ts$' },
      to: { path: '^libs/areas/[^/]+/[^/]+/', pathNot: '^$1/$2/' },
    },
    {
      name: 'areas-without-subfolders-by-name',
      comment:
        'From an area that is not in AREAS_WITH_SUBFOLDERS, other areas import only *.module, *.reader, *.commands, *.policy, *.resource, *.signal, *.dto and *.sql, and entities as types (foreign-entities-as-types).',
      severity: 'error',
      from: { path: '^libs/areas/([^/]+)/', pathNot: '[.]spec[.]ts$' },
      to: {
        path: '^libs/areas/([^/]+)/',
        pathNot: ['^libs/areas/$1/', IN_AREA_WITH_SUBFOLDERS, PUBLIC_NAMES, '[.]entity[.]ts$'],
      },
    },
    {
      name: 'foreign-entities-as-types',
      comment: 'An entity of another area is imported only with `import type`.',
      severity: 'error',
      from: { path: '^libs/areas/([^/]+)/', pathNot: '[.]spec[.]ts$' },
      to: {
        path: '^libs/areas/[^/]+/.*[.]entity[.]ts$',
        pathNot: '^libs/areas/$1/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'testing-stays-in-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: ['[.]spec[.]ts$', '^libs/testing/'] },
      to: { path: '^(libs/testing|test)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      conditionNames: ['events-source', 'import', 'require', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};

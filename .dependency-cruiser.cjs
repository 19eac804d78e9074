/** The five rules of docs/ARCHITECTURE.md ("Five rules"), as errors. */

/** Low to high: a folder imports only what stands before it. scripts/layers.mjs fails on a folder that is not listed. */
const { areas: AREAS, platform: PLATFORM } = require('./libs/layers.json');

/**
 * Areas with rooms: what lies in the area's own folder is for others, what lies in a folder below it is private. Areas that are
 * not in this list still have everything in one folder; of those others may import only files with the names below.
 */
const AREAS_WITH_ROOMS = ['groups', 'events', 'participation', 'posts', 'expenses', 'changes', 'own-data'];
const WITH_ROOMS = `^libs/areas/(?:${AREAS_WITH_ROOMS.join('|')})/`;
const OPEN_BY_NAME = '[.](module|reader|commands|policy|resource|signal|dto)[.]ts$';

const notDownwards = AREAS.map((area, i) => ({
  name: `downwards-${area}`,
  comment: `libs/areas/${area} imports only areas that stand before it in the list.`,
  severity: 'error',
  from: { path: `^libs/areas/${area}/` },
  to: { path: `^libs/areas/(?:${AREAS.slice(i + 1).join('|') || '$none'})/` },
}));

const notUpwardsInPlatform = PLATFORM.map((folder, i) => ({
  name: `platform-${folder}`,
  comment: `libs/platform/${folder} imports only folders that stand before it in the list.`,
  severity: 'error',
  from: { path: `^libs/platform/${folder}/`, pathNot: '[.]spec[.]ts$' },
  to: { path: '^libs/platform/', pathNot: `^libs/platform/(?:${PLATFORM.slice(0, i + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'downwards-contract',
      comment: 'contract imports nothing.',
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
      comment: 'The combinatorics of settling balances know numbers only: no Nest, no database, no area.',
      severity: 'error',
      from: { path: '^libs/settlement/', pathNot: '[.]spec[.]ts$' },
      to: { pathNot: '^libs/(settlement|contract)/' },
    },
    {
      name: 'packages-stand-alone',
      comment:
        'The SDK and the conformance kit are packages of their own: nothing of the service in them, and nothing of them in the service.',
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
    ...notDownwards,
    ...notUpwardsInPlatform,
    {
      name: 'rooms-are-private',
      comment: 'libs/areas/x/*.ts is open to everybody, libs/areas/x/*/** to x alone.',
      severity: 'error',
      from: { path: '^(apps|migrations|libs/web|libs/areas)/([^/]+)', pathNot: '[.]spec[.]ts$' },
      to: { path: '^libs/areas/[^/]+/[^/]+/', pathNot: '^$1/$2/' },
    },
    {
      name: 'areas-without-rooms-by-name',
      comment:
        'Of an area without rooms only *.module, *.reader, *.commands, *.policy, *.resource, *.signal and *.dto; entities see below.',
      severity: 'error',
      from: { path: '^libs/areas/([^/]+)/', pathNot: '[.]spec[.]ts$' },
      to: { path: '^libs/areas/([^/]+)/', pathNot: ['^libs/areas/$1/', WITH_ROOMS, OPEN_BY_NAME, '[.]entity[.]ts$'] },
    },
    {
      name: 'foreign-entities-as-types',
      comment: "Another area's entity only as `import type`.",
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

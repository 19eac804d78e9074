/** The five rules of docs/ARCHITECTURE.md ("Five rules"), as errors. */

/** Areas, low to high: an area imports only what stands before it. */
const AREAS = [
  'identity', 'quotas', 'credits', 'notifications', 'groups', 'events', 'participation', 'discover',
  'series', 'group-events', 'posts', 'comments', 'expenses', 'puls', 'gallery', 'itinerary', 'apply',
];

/** What one area may import from another: never a service, a controller, a query or a repository. */
const OPEN_TO_OTHER_AREAS = '[.](module|reader|commands|policy|resource|signal|dto)[.]ts$';

const notDownwards = AREAS.map((area, i) => ({
  name: `downwards-${area}`,
  comment: `libs/areas/${area} imports only areas that stand before it in the list.`,
  severity: 'error',
  from: { path: `^libs/areas/${area}/` },
  to: { path: `^libs/areas/(?:${AREAS.slice(i + 1).join('|') || '$none'})/` },
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
    { name: 'downwards-web', severity: 'error', from: { path: '^libs/web/' }, to: { path: '^apps/' } },
    ...notDownwards,
    {
      name: 'areas-by-their-doors',
      comment: 'Across areas only *.module, *.reader, *.commands, *.policy, *.resource, *.signal and *.dto files; entities see below.',
      severity: 'error',
      from: { path: '^libs/areas/([^/]+)/', pathNot: '[.]spec[.]ts$' },
      to: { path: '^libs/areas/([^/]+)/', pathNot: ['^libs/areas/$1/', OPEN_TO_OTHER_AREAS, '[.]entity[.]ts$'] },
    },
    {
      name: 'foreign-entities-as-types',
      comment: "Another area's entity only as `import type`.",
      severity: 'error',
      from: { path: '^libs/areas/([^/]+)/', pathNot: '[.]spec[.]ts$' },
      to: { path: '^libs/areas/[^/]+/.*[.]entity[.]ts$', pathNot: '^libs/areas/$1/', dependencyTypesNot: ['type-only'] },
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
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'require', 'node', 'default'], exportsFields: ['exports'], extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};

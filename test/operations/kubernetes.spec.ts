import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { commandLine } from '#apps/cli/run-command';
import { PROBES } from '#apps/server/server.setup';
import { readSettings } from '#platform/config/load-settings';

const ROOT = resolve(__dirname, '../..');
const FOLDER = join(ROOT, 'examples/kubernetes');
const CONNECTION = 'postgresql://events:password@events-database-rw.events:5432/events';
/** Seconds that requests and jobs in progress may need after SHUTDOWN_DELAY. */
const MAX_WORK_SECONDS = 15;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: string[];
  readonly envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  readonly env?: { name: string; valueFrom: { secretKeyRef: { name: string; key: string } } }[];
  readonly ports?: { name: string; containerPort: number }[];
  readonly volumeMounts?: { name: string; mountPath: string }[];
  readonly securityContext: object;
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}
interface Pod {
  readonly metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  readonly spec: {
    readonly containers: Container[];
    readonly volumes?: { name: string }[];
    readonly securityContext: object;
    readonly terminationGracePeriodSeconds?: number;
  };
}
interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data: Record<string, string>;
  readonly spec: Record<string, unknown>;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const files = readdirSync(FOLDER);
const objects = files.flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as KubernetesObject;
  }),
);
const page = read('docs/operating/kubernetes.md');

function objectNamed<Spec>(kind: string, name: string): { spec: Spec; data: Record<string, string> } {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found as { spec: Spec; data: Record<string, string> };
}

/** The pods of Deployments, Jobs and CronJobs. */
const pods = objects.flatMap(({ spec }) => {
  const { template, jobTemplate } = spec ?? {};
  return [
    template ?? (jobTemplate as { spec: { template: unknown } } | undefined)?.spec.template ?? [],
  ].flat() as Pod[];
});
const containers = pods.flatMap(({ spec }) => spec.containers);
/** The containers that run the image of this service. */
const serviceContainers = containers.filter(({ image }) => image.includes('/events:'));
const serverPod = objectNamed<{ template: Pod }>('Deployment', 'events').spec.template;
const serverContainer = serverPod.spec.containers[0]!;
const settings = objectNamed('ConfigMap', 'events').data;
/** The secrets that the commands on the page create: name → keys. */
const secrets = new Map(
  [...page.replace(/\\\n/g, ' ').matchAll(/create secret generic (\S+)(.*)/g)].map(([, name = '', rest = '']) => [
    name,
    [...rest.matchAll(/--from-literal=(\w+)=/g)].map(([, key = '']) => key),
  ]),
);

// OPS-127
describe('the example for Kubernetes', () => {
  it('is described in docs/operating/kubernetes.md: the table lists every file, and the commands apply every file', () => {
    const applied = [...page.matchAll(/-f (\S+\.yaml)/g)].map(([, file]) => file);
    expect(files.filter((file) => !page.includes(`| \`${file}\``) || !applied.includes(file))).toEqual([]);
    expect(applied.filter((file) => !files.includes(file ?? ''))).toEqual([]);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
      expect.arrayContaining([
        'Cluster events-database',
        'Ingress events',
        'PodDisruptionBudget events',
        'Job events-migrate',
      ]),
    );
    for (const [, block = ''] of page.matchAll(/```yaml\n([^`]*)```/g)) expect(parse(block)).toBeInstanceOf(Object);
  });

  it('sets only documented settings, to values that the service accepts', () => {
    const documented = [...read('docs/operating/settings.md').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name);
    const direct = serviceContainers.flatMap(({ env = [] }) => env.map(({ name }) => name));
    const names = [...Object.keys(settings), ...(secrets.get('events') ?? []), ...direct];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !documented.includes(name))).toEqual([]);
    const secret = { APP_SECRET: 'x'.repeat(64), DATABASE_URL: CONNECTION };
    const imageEnvironment = Object.fromEntries(
      [...read('Dockerfile').matchAll(/^(?:ENV| {3}) ?(\w+)=(\S+)/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    expect(imageEnvironment).toMatchObject({ NODE_ENV: 'production', PORT: '3000', DATA_DIR: '/data' });
    expect(readSettings({ ...imageEnvironment, FFMPEG_PATH: '', ...settings, ...secret })).toMatchObject({
      production: true,
      host: '0.0.0.0',
      storage: { kind: 's3' },
      databaseUrl: CONNECTION,
    });
  });

  it('refers to ConfigMaps and secrets that exist', () => {
    const clusters = objects.filter(({ kind }) => kind === 'Cluster').map(({ metadata }) => `${metadata.name}-app`);
    for (const { envFrom = [], env = [] } of serviceContainers) {
      expect(envFrom).toEqual([{ configMapRef: { name: 'events' } }, { secretRef: { name: 'events' } }]);
      for (const { valueFrom } of env) expect(clusters).toContain(valueFrom.secretKeyRef.name);
    }
    const store = objectNamed<{ configuration: { s3Credentials: Record<string, { name: string; key: string }> } }>(
      'ObjectStore',
      'events-database',
    );
    for (const { name, key } of Object.values(store.spec.configuration.s3Credentials))
      expect(secrets.get(name)).toContain(key);
  });

  it('refers only to ports, probe paths and Services that exist', () => {
    const ports = Object.fromEntries(
      (serverContainer.ports ?? []).map(({ name, containerPort }) => [name, String(containerPort)]),
    );
    expect(ports).toEqual({ http: /PORT=(\d+)/.exec(read('Dockerfile'))?.[1], metrics: settings['METRICS_PORT'] });
    expect(serverPod.metadata.annotations?.['prometheus.io/port']).toBe(settings['METRICS_PORT']);
    const { startupProbe, livenessProbe, readinessProbe } = serverContainer;
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      expect(ports).toHaveProperty(httpGet.port);
      expect(PROBES).toContain(httpGet.path);
    }

    interface Service {
      readonly selector: Record<string, string>;
      readonly ports: { name: string; port: number; targetPort: string }[];
    }
    for (const { spec } of objects.filter(({ kind }) => kind === 'Service') as unknown as { spec: Service }[]) {
      const pod = pods.find(({ metadata }) => metadata.labels['app'] === spec.selector['app']);
      const portNames = pod?.spec.containers.flatMap((one) => one.ports ?? []).map(({ name }) => name);
      for (const { targetPort } of spec.ports) expect(portNames).toContain(targetPort);
    }
    const redis = objectNamed<Service>('Service', 'events-redis').spec.ports[0]?.port;
    expect([settings['REDIS_URL'], redis]).toEqual(['redis://events-redis', 6379]);
    interface Rules {
      readonly tls: { hosts: string[] }[];
      readonly rules: {
        host: string;
        http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] };
      }[];
    }
    const { tls, rules } = objectNamed<Rules>('Ingress', 'events').spec;
    const host = new URL(settings['BASE_URL'] ?? '').host;
    expect([tls[0]?.hosts, rules.map((rule) => rule.host)]).toEqual([[host], [host]]);
    const backend = rules[0]?.http.paths[0]?.backend.service;
    const service = objectNamed<Service>('Service', backend?.name ?? '').spec;
    expect(service.ports.map(({ name }) => name)).toContain(backend?.port.name);
  });

  it('gives a server enough time to stop, and refers only to pods and commands that exist', () => {
    expect(serverPod.spec.terminationGracePeriodSeconds).toBeGreaterThan(
      Number(settings['SHUTDOWN_DELAY']) + MAX_WORK_SECONDS,
    );
    for (const { spec } of objects.filter(({ kind }) => ['Deployment', 'PodDisruptionBudget'].includes(kind))) {
      const { matchLabels } = spec['selector'] as { matchLabels: Record<string, string> };
      expect(pods.map(({ metadata }) => metadata.labels)).toContainEqual(matchLabels);
    }
    const commands = serviceContainers.flatMap(({ args }) => (args ? [args] : []));
    expect(commands.map(([, , name]) => name).sort()).toEqual(['backup', 'migrate']);
    for (const [program, file, name, ...rest] of commands) {
      expect([program, file]).toEqual(['node', 'dist/apps/cli/main.js']);
      const command = commandLine().commands.find((one) => one.name() === name);
      const options = command?.options.map(({ long }) => long);
      for (const option of rest.filter((one) => one.startsWith('--'))) expect(options).toContain(option);
    }
  });

  it('runs all containers without root and with a read-only root file system', () => {
    expect(new Set(serviceContainers.map(({ image }) => image)).size).toBe(1);
    expect(containers.length).toBe(4);
    for (const { securityContext } of containers)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { image, volumeMounts = [] } of spec.containers) {
        const volumes = spec.volumes?.map(({ name }) => name);
        for (const { name } of volumeMounts) expect(volumes).toContain(name);
        if (image.includes('/events:'))
          expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
      }
    }
  });
});

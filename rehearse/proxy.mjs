// Runs the service behind nginx and behind Caddy, with TLS. Both proxies use the configuration in
// docs/operating/install.md with other addresses, ports and paths. Exception: Caddy uses a self-signed certificate, and
// its admin interface and its redirects are off.
//   npm run rehearse -- proxy [--break]
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { environment, openDatabase, populate, startServer } from './lib/installation.mjs';
import { blockOf } from './lib/pages.mjs';
import { folder, freePort, need, options, rehearse, run, until } from './lib/programs.mjs';
import { tlsClient } from './lib/tls-client.mjs';

// The last argument describes the fault that `--break` causes.
const { isBroken } = options('proxy', {}, 'nginx passes on the address that the client claims in X-Forwarded-For');
const NAME = 'events.example.org';
const sharp = createRequire(import.meta.url)('sharp');
const MB = 1_048_576;
const OPENSSL = 'openssl';
/** Some errors occur only in some of the requests. A check for such an error sends its request this many times. */
const REPETITIONS = 20;

await rehearse('proxy', { maxMinutes: 6 }, async () => {
  need('nginx', 'caddy', OPENSSL);
  const certificate = selfSigned();
  const port = await freePort();
  const env = environment(await openDatabase(), folder('data'), {
    TRUST_PROXY: 'loopback',
    BASE_URL: `https://${NAME}`,
  });
  const people = await populate(env);
  const server = await startServer(env, port);
  const figures = {};
  for (const [n, start] of [nginx, caddy].entries()) {
    const proxyPort = await freePort();
    const program = await start(certificate, proxyPort, server.port);
    const ask = tlsClient(NAME, proxyPort, certificate.pem);
    await until(start.name, async () => {
      if (program.isOver()) throw new Error(`${start.name} ended with ${await program.ended}`);
      return (await ask('GET', '/health/ready').catch(() => ({ status: 0 }))).status === 200;
    });
    figures[start.name] = await checkThrough(ask, people.tokens[n], people.events[n], `127.0.${n + 1}`);
  }
  return {
    passed: Object.values(figures).every((checks) => Object.values(checks).every((verdict) => verdict === true)),
    ...figures,
  };
});

/** Checks the service through the proxy. Returns a value for each check: true, or the unexpected result. */
async function checkThrough(ask, token, event, network) {
  const authorization = `Bearer ${token}`;
  return {
    page: expect(200, (await ask('GET', '/')).status),
    api: expect(200, (await ask('GET', '/api/v1/user', { headers: { authorization } })).status),
    stream: await checkStream(ask, authorization),
    picture: expect(
      201,
      (
        await ask(
          'POST',
          '/api/v1/puls',
          await form(authorization, [['image', await picture()]], { latitude: 50.08, longitude: 14.42 }),
        )
      ).status,
    ),
    // The largest allowed upload must reach the service, which refuses it, because the gallery of the event is off.
    largest_upload: expect(
      '403 application/json; charset=utf-8',
      await statusAndType(
        ask(
          'POST',
          `/api/v1/events/${event}/photos`,
          await form(
            authorization,
            Array.from({ length: 10 }, () => ['photos[]', Buffer.alloc(15 * MB)]),
          ),
        ),
      ),
    ),
    too_large: expect(
      '413',
      await allStatuses(() =>
        ask('POST', '/api/v1/events', {
          headers: { authorization, 'content-type': 'application/json' },
          body: Buffer.alloc(3 * MB),
        }),
      ),
    ),
    addresses: await checkAddresses(ask, network),
  };
}

function expect(expected, actual) {
  return actual === expected || actual;
}

async function statusAndType(answering) {
  const { status, headers } = await answering;
  return `${status} ${headers['content-type']}`;
}

/** Sends the request several times, and returns all statuses of the responses. */
async function allStatuses(ask) {
  const statuses = new Set();
  for (let n = 0; n < REPETITIONS; n++) statuses.add((await ask()).status);
  return [...statuses].join();
}

/** Returns true if an entry of /changes arrives while the response continues, otherwise an error message. */
async function checkStream(ask, authorization) {
  let text = '';
  const stream = await ask('GET', '/api/v1/changes', {
    headers: { authorization, accept: 'text/event-stream' },
    onPart: (part) => (text += part),
  });
  try {
    await until('the head of the stream', () => text.includes('id:'), 10_000);
    const starts_at = new Date(Date.now() + 86_400_000 * 30).toISOString();
    await ask('POST', '/api/v1/events', {
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Piknik', starts_at, latitude: 50.08, longitude: 14.42 }),
    });
    await until('an entry', () => text.includes('event.created'), 10_000);
    return true;
  } catch (error) {
    return error.message;
  } finally {
    stream.end();
  }
}

/**
 * Returns true if a forged X-Forwarded-For is ignored and requests from another address are counted separately,
 * otherwise the numbers of remaining requests.
 */
async function checkAddresses(ask, network) {
  const remaining = async (from, forged) =>
    Number(
      (await ask('GET', '/api/v1/user', { from, headers: forged ? { 'x-forwarded-for': forged } : {} })).headers[
        'x-ratelimit-remaining'
      ],
    );
  const first = await remaining(`${network}.1`);
  const forged = [
    await remaining(`${network}.1`, '192.0.2.1'),
    await remaining(`${network}.1`, '192.0.2.2, 127.0.0.1'),
  ];
  const other = await remaining(`${network}.2`);
  return (
    (first - forged[0] === 1 && first - forged[1] === 2 && other === first) ||
    `remaining: ${first}, ${forged.join()}; of another address: ${other}`
  );
}

async function form(authorization, files, texts = {}) {
  const data = new FormData();
  for (const [name, value] of Object.entries(texts)) data.append(name, String(value));
  for (const [name, bytes] of files) data.append(name, new Blob([bytes]), 'picture.png');
  const sent = new Response(data);
  return {
    headers: { authorization, 'content-type': sent.headers.get('content-type') },
    body: Buffer.from(await sent.arrayBuffer()),
  };
}

/** A picture of several megabytes. It contains noise, because noise cannot be compressed. */
function picture() {
  return sharp({
    create: { width: 1200, height: 1200, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png()
    .toBuffer();
}

/** Returns {pem, cert, key}: the text of the certificate, the path of its file, and the path of the key's file. */
function selfSigned() {
  const dir = folder('certificate');
  const [cert, key] = [join(dir, 'events.pem'), join(dir, 'events.key')];
  execFileSync(
    OPENSSL,
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${NAME}`,
      '-addext',
      `subjectAltName=DNS:${NAME}`,
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  );
  return { pem: readFileSync(cert, 'utf8'), cert, key };
}

async function nginx({ cert, key }, proxyPort, servicePort) {
  const dir = folder('nginx');
  // If root starts nginx, its workers run under another user, who needs access to the files.
  chmodSync(dir, 0o755);
  const config = blockOf('install.md', 'proxy_pass', [
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    ['listen 443 ', `listen 127.0.0.1:${proxyPort} `],
    ['  listen [::]:80;\n', ''],
    ['  listen [::]:443 ssl http2;\n', ''],
    ['/etc/ssl/events.pem', cert],
    ['/etc/ssl/events.key', key],
    ['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
    ...(isBroken ? [['X-Forwarded-For $remote_addr', 'X-Forwarded-For $http_x_forwarded_for']] : []),
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `  ${kind}_temp_path ${dir}/${kind};`)
    .join('\n');
  writeFileSync(
    join(dir, 'nginx.conf'),
    `pid ${dir}/pid;\nerror_log ${dir}/error.log;\nevents {}\nhttp {\n  access_log off;\n${temporary}\n${config}}\n`,
  );
  return run('nginx', ['-c', join(dir, 'nginx.conf'), '-e', join(dir, 'error.log'), '-g', 'daemon off;']);
}

async function caddy({ cert, key }, proxyPort, servicePort) {
  const dir = folder('caddy');
  const config = blockOf('install.md', 'reverse_proxy', [
    [`${NAME} {`, `https://${NAME}:${proxyPort} {\n  bind 127.0.0.1\n  tls ${cert} ${key}`],
    ['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
  ]);
  writeFileSync(join(dir, 'Caddyfile'), `{\n  admin off\n  auto_https disable_redirects\n}\n${config}`);
  return run('caddy', ['run', '--config', join(dir, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: { XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
    quiet: true,
  });
}

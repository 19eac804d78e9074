// Loads the reference after the text of the page stands. Its scripts come from this server; its own style sheets get the page's nonce.
const NONCE = document.querySelector('meta[property="csp-nonce"]').content;
const app = document.getElementById('reference-app');
const create = document.createElement;
document.createElement = function createElement(name, ...options) {
  const element = create.call(document, name, ...options);
  if (/^style$/i.test(name)) element.nonce = NONCE;
  return element;
};
// An attribute would be inline style, which the policy refuses; the same through the object model is not.
const setAttribute = Element.prototype.setAttribute;
Element.prototype.setAttribute = function setAttributeOrStyle(name, value) {
  if (name === 'style' && this.style) this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
const markup = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
Object.defineProperty(Element.prototype, 'innerHTML', {
  ...markup,
  set(value) {
    // Not only texts are given: null is none, and some say what they are when asked.
    const html = value === null ? '' : String(value);
    markup.set.call(this, html.replace(/(<[a-z][^<>]*?) style="/gi, '$1 data-style="'));
    if (html.includes(' style="')) for (const element of (this.content ?? this).querySelectorAll('[data-style]')) element.style.cssText = element.dataset.style;
  },
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const slug = (text) => text.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');

/** What stands for a file in the example of a form. */
const FILE = '"picture.jpg"';

/** How the operation is called by the TypeScript SDK: names in the path and fields of the body together. */
function sample({ operationId, parameters = [], requestBody }) {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  const fields = Object.entries((json ?? form)?.example ?? {}).map(([name, value]) => [name.replace('[]', ''), JSON.stringify(value).replaceAll(FILE, 'file')]);
  const named = parameters.filter((one) => one.in === 'path' || (one.in === 'query' && one.required)).map((one) => [one.name, JSON.stringify(one.example ?? '…')]);
  const given = [...named, ...fields].map(([name, value]) => `  ${name}: ${value},`).join('\n');
  return [
    "import { EventsClient } from 'events-sdk';", '', `const client = new EventsClient({ token: 'evt_…', baseUrl: '${location.origin}${app.dataset.base}' });`,
    `const answer = await client.${operationId}(${given ? `{\n${given}\n}` : ''});`,
  ].join('\n');
}

async function load() {
  const [{ createApiReference }, content] = await Promise.all([
    import(app.dataset.script), fetch(app.dataset.document).then((answer) => answer.json()),
  ]);
  // The page has the introduction already.
  delete content.info.description;
  // The page may be opened by another name than the public one, and asks no other server.
  if (!content.servers[0].url.startsWith(location.origin)) content.servers = [{ url: location.origin + app.dataset.base }];
  // Tried out twice, a change is to happen twice: no header is sent unless somebody fills it in.
  for (const parameter of Object.values(content.components.parameters)) if (parameter.in === 'header') delete parameter.example;
  for (const operations of Object.values(content.paths)) {
    for (const operation of Object.values(operations)) {
      operation['x-codeSamples'] = [{ lang: 'TypeScript', label: 'TypeScript SDK', source: sample(operation) }];
      // Files are chosen; what stands for one would be sent as text.
      delete operation.requestBody?.content['multipart/form-data']?.example;
      if (operation.description === `${operation.summary}.`) delete operation.description;
    }
  }
  const configuration = () => ({
    content,
    layout: 'modern', theme: 'none', withDefaultFonts: false, telemetry: false, showDeveloperTools: 'never', hideClientButton: true, hideDarkModeToggle: true,
    forceDarkModeState: dark.matches ? 'dark' : 'light', documentDownloadType: 'none', agent: { disabled: true }, mcp: { disabled: true }, setPageTitle: () => document.title,
    persistAuth: true, authentication: { preferredSecurityScheme: 'token' }, operationTitleSource: 'summary', hideModels: false, defaultOpenFirstTag: false,
    generateTagSlug: (tag) => slug(tag.name), generateOperationSlug: (operation) => operation.operationId,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' }, hiddenClients: hidden(),
  });
  const reference = createApiReference(app, configuration());
  dark.addEventListener('change', () => reference.updateConfiguration(configuration()));
  document.getElementById('reference-wait').hidden = true;
}

/** All but curl, fetch (which TypeScript takes as it is) and Python. */
function hidden() {
  return {
    c: true, clojure: true, csharp: true, dart: true, fsharp: true, go: true, http: true, java: true, kotlin: true, node: true, objc: true, ocaml: true, php: true,
    powershell: true, r: true, ruby: true, rust: true, swift: true, js: ['axios', 'ofetch', 'jquery', 'xhr'], python: ['python3', 'aiohttp', 'httpx_sync', 'httpx_async'], shell: ['httpie', 'wget'],
  };
}

function failed(error) {
  document.getElementById('reference-wait').hidden = true;
  document.getElementById('reference-failed').hidden = false;
  throw error;
}

const soon = () => (window.requestIdleCallback ?? setTimeout)(() => load().catch(failed));
if (document.readyState === 'complete') soon();
else addEventListener('load', soon);

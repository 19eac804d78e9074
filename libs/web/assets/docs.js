// Renders the API reference after the page has been loaded. This server also delivers the library swagger-ui.
const app = document.getElementById('reference-app');
const dark = matchMedia('(prefers-color-scheme: dark)');

/** The placeholder for a file in the example of a form. */
const FILE = '"picture.jpg"';

/**
 * The code that calls the operation with the TypeScript SDK. Path parameters, required query parameters and the fields
 * of the body are in one object.
 */
function sample({ operationId, parameters = [], requestBody }) {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  const fields = Object.entries((json ?? form)?.example ?? {}).map(([name, value]) => [
    name.replace('[]', ''),
    JSON.stringify(value).replaceAll(FILE, 'file'),
  ]);
  const parameterFields = parameters
    .filter((one) => one.in === 'path' || (one.in === 'query' && one.required))
    .map((one) => [one.name, JSON.stringify(one.example ?? '…')]);
  const argumentLines = [...parameterFields, ...fields].map(([name, value]) => `  ${name}: ${value},`).join('\n');
  return [
    "import { EventsClient } from '@events-service/sdk';",
    '',
    `const client = new EventsClient({ token: 'evt_…', baseUrl: '${location.origin}${app.dataset.base}' });`,
    `const answer = await client.${operationId}(${argumentLines ? `{\n${argumentLines}\n}` : ''});`,
  ].join('\n');
}

/**
 * The OpenAPI document of this server. It is changed so that requests can be sent from this page, and each operation
 * gets a sample for the SDK.
 */
async function readDocument() {
  const content = await fetch(app.dataset.document).then((answer) => answer.json());
  // The page may be opened under a host name that is not the public one, but its Content-Security-Policy allows
  // requests only to its own origin.
  if (!`${content.servers[0].url}/`.startsWith(`${location.origin}/`))
    content.servers = [{ url: location.origin + app.dataset.base }];
  // swagger-ui fills in fields with their examples. The examples of optional parameters are removed, so that these
  // parameters are sent only if the user fills them in.
  const parameters = Object.values(content.paths).flatMap((operations) =>
    Object.values(operations).flatMap((operation) => operation.parameters ?? []),
  );
  for (const parameter of [...parameters, ...Object.values(content.components.parameters)])
    if (!parameter.required) delete parameter.example;
  for (const operations of Object.values(content.paths)) {
    for (const operation of Object.values(operations)) {
      const text = operation.description === `${operation.summary}.` ? '' : operation.description;
      operation.description = `${text}\n\n**TypeScript SDK**\n\n\`\`\`\n${sample(operation)}\n\`\`\``;
      // The placeholder of a file would be sent as text, so the example is removed and the user has to choose files.
      delete operation.requestBody?.content['multipart/form-data']?.example;
    }
  }
  return content;
}

function loadLibrary() {
  const script = Object.assign(document.createElement('script'), { src: app.dataset.script });
  return new Promise((resolve, reject) => {
    Object.assign(script, { onload: resolve, onerror: () => reject(new Error('swagger-ui could not be loaded')) });
    document.head.append(script);
  });
}

/** Labels for elements that swagger-ui renders without a label. */
const NAMES = {
  'textarea.body-param__text': 'Request body',
  '.examples-select-element': 'Example',
  '.close-modal': 'Close',
};

/** Makes fields, buttons and scrolling texts usable with a keyboard and with screen readers. */
function makeAccessible() {
  for (const [selector, name] of Object.entries(NAMES))
    for (const element of app.querySelectorAll(selector)) element.ariaLabel = name;
  // Without their labels, these buttons are named by their visible texts. For example, swagger-ui gives the button with
  // the text "Authorize" the label "Apply credentials".
  for (const button of app.querySelectorAll('.modal-btn[aria-label]')) button.removeAttribute('aria-label');
  for (const text of app.querySelectorAll('pre')) text.tabIndex = 0;
}

const create = document.createElement;
/** The `main` element of swagger-ui becomes a `div`, because a page may have only one `main`. */
document.createElement = (name, ...options) => create.call(document, name === 'main' ? 'div' : name, ...options);

/** swagger-ui chooses its colours by a class; the page chooses its colours by the browser's preference. */
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);

async function load() {
  const [spec] = await Promise.all([readDocument(), loadLibrary()]);
  new MutationObserver(makeAccessible).observe(app, { childList: true, subtree: true });
  followColours();
  dark.addEventListener('change', followColours);
  const ui = SwaggerUIBundle({
    domNode: app,
    spec,
    deepLinking: true,
    docExpansion: 'none',
    persistAuthorization: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    validatorUrl: null,
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 3,
    syntaxHighlight: false,
    // `InfoContainer` and `ServersContainer` are not shown: the page already has an introduction, and there is only one
    // server. `DeepLink` would put a link inside the button that opens an operation, where the keyboard cannot reach
    // the link.
    plugins: [
      {
        wrapComponents: {
          InfoContainer: () => () => null,
          ServersContainer: () => () => null,
          DeepLink:
            () =>
            ({ text }) =>
              text,
        },
      },
    ],
    onComplete: () => (document.getElementById('reference-wait').hidden = true),
  });
  addEventListener('hashchange', () => ui.layoutActions.parseDeepLinkHash(location.hash));
}

function showFailure(error) {
  document.getElementById('reference-wait').hidden = true;
  document.getElementById('reference-failed').hidden = false;
  throw error;
}

const start = () => load().catch(showFailure);
if (document.readyState === 'complete') start();
else addEventListener('load', start);

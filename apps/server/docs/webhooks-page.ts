import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import type { DocsContext, DocsPage } from './docs-page';
import { docsTranslator } from './texts';

const { per_account, answer, tries, former_secret, deliveries_kept } = LIMITS.webhooks;
const DAY = 86_400;

/** A receiver that uses a library. A test runs this sample and the sample `BY_HAND`. */
const WITH_LIBRARY = `
\`\`\`js
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let message;
  try {
    message = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
  } catch {
    response.writeHead(400).end();
    return;
  }
  console.log(request.headers['webhook-id'], message.type, message.data.subject.id);
  response.writeHead(204).end();
}).listen(process.env.PORT);
\`\`\``.trim();

const BY_HAND = `
\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto';

export function verify(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) throw new Error('the timestamp is not within 5 minutes');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  const matches = (signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (!String(signatures).split(' ').some(matches)) throw new Error('no signature matches');
  return JSON.parse(body);
}
\`\`\``.trim();

const MESSAGE = `
\`\`\`http
POST /events HTTP/1.1
Host: bot.example.org
Content-Type: application/json
User-Agent: events-webhooks
webhook-id: msg_8f3kQz1XbW0cVtYh5mN2aA
webhook-timestamp: 1893456000
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"type": "participant.joined",
 "timestamp": "2030-01-01T00:00:00Z",
 "previous": "q1Rk8u3pXz0Yd7Lw",
 "data": {"id": "mJeGaq1Rk8u3pXz0", "cursor": "Vn5sBf2HcT9mJeGa", "at": "2030-01-01T00:00:00Z", "type": "participant.joined",
          "subject": {"type": "participant", "id": "petr-svoboda", "url": "{origin}/api/v1/events/gYwKqVxB/participants",
                      "event": "gYwKqVxB", "group": null, "post": null, "user": "petr-svoboda"},
          "by": {"name": "Petr Svoboda", "nickname": null, "slug": "petr-svoboda", "avatar_url": null}}}
\`\`\``.trim();

const TEXT: Readonly<Record<Locale, string>> = {
  en: `
A webhook posts your [changes]({changes}) to your address: one message for each entry of \`GET /changes\`. The messages are signed according to
[Standard Webhooks](https://www.standardwebhooks.com/) 1.0. An account has at most ${per_account} webhooks.

Create a webhook with \`POST /api/v1/webhooks\` and a \`url\`. \`types\` selects types of changes; null selects all types. The answer has the \`secret\`
(\`whsec_…\`), which is not shown again: store it. \`POST /api/v1/webhooks/{id}/test\` sends a message of the type \`webhook.test\` at once.

## The message

${MESSAGE}

- \`data\` is the entry as \`GET /changes\` shows it to you. \`type\` is the same as \`data.type\`; \`timestamp\` is the time when the message was created.
- \`previous\` is the cursor of the previous message to this webhook; null in its first message.
- \`webhook-id\` identifies the message and is the same in every attempt. \`webhook-timestamp\` is the time of this attempt in Unix seconds.
- A message is smaller than 32 KB.

## Verifying a message

Anybody can post to your address, so verify every message before you use it. Verify the body as it arrived, byte for byte, before you
parse it. This receiver uses the library [standardwebhooks](https://www.npmjs.com/package/standardwebhooks), which exists for many languages:

${WITH_LIBRARY}

You can also verify without a library. The signature is the HMAC-SHA-256 of \`id.timestamp.body\`. Its key is the part of the secret after \`whsec_\`, decoded from Base64. The
header \`webhook-signature\` has one or more signatures, separated by spaces; one matching signature is enough. Refuse timestamps that are more than 5 minutes away from your clock.

${BY_HAND}

\`POST /api/v1/webhooks/{id}/rotate\` returns a new secret. For ${former_secret / 3600} hours each message has two signatures, one with each secret, so a receiver can
switch to the new secret without missing a message.

## What to answer

- **Any 2xx within ${answer.within} seconds** means delivered. Answer as soon as the message is stored, and work on it afterwards. The body of your answer is
  not used; its first ${answer.kept / 1024} KB is stored, so that you can find the cause of a problem, and at most ${answer.read / 1024} KB is read.
- **410** pauses the webhook at once.
- **Everything else** is a failure, and the message is sent again later: other statuses, redirects (they are not followed), no answer in time, a failed connection, or
  an invalid certificate.

## Retries and pausing

A message that fails is tried again after 5 seconds, 1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours, 12 hours, and then once a day, until
${tries.give_up_after / DAY} days after the first try. Then the webhook is paused, and you get a notice. \`PATCH /api/v1/webhooks/{id}\` with \`{"status": "active"}\`
starts the webhook again. It then sends only new entries. Messages that were waiting are dropped: read \`/changes\` for the entries that you missed.

\`GET /api/v1/webhooks/{id}/deliveries\` lists messages with their status, the number of tries and the last answer. Messages are stored for ${deliveries_kept / DAY} days.
\`POST …/deliveries/{id}/retry\` sends a message again. Nothing is sent while the account is banned, or is not allowed to have tokens.

## Order, repetition, gaps

- Messages of a webhook come one at a time, in the order of the feed. **A failing message delays all later messages** until it is delivered or its last try has failed.
- A message can arrive more than once, for example when your answer got lost. Remember the \`webhook-id\` of messages that you have handled.
- Store \`data.cursor\` of each message. If \`previous\` of the next message is not this cursor, messages are missing: read \`GET /changes?cursor=\` from the
  cursor that you stored. After a pause, read \`/changes\` in any case, because the entries of the pause are not sent.
- A test message normally causes no gap: its \`data.cursor\` is the cursor of the message before it. If another message is waiting or being sent at the same
  time, \`data.cursor\` of the test message may be another cursor. The next message may then look as if messages were missing: you read some entries twice,
  but miss none.
- Your access is checked when an entry is sent: you get nothing that you are no longer allowed to see.

## Addresses

The address uses https, has at most ${LIMITS.webhooks.url.max} characters, and contains no user name or password. The host name is resolved at every try. The address is refused if the
host name does not resolve, or if one of its IP addresses is private, loopback, link-local, reserved, or an IPv6 address that contains an IPv4 address. A request to
create or change a webhook with a refused address is answered with 422 and an error for \`url\`. When a message is sent, a refused address counts as a failed attempt.
To test a receiver on your own computer, use the sandbox (\`npm run sandbox\` in the repository), which allows private addresses and http.
`,
  cs: `
Webhook posílá vaše [změny]({changes}) na vaši adresu: jednu zprávu za každý záznam \`GET /changes\`. Zprávy jsou podepsané podle
[Standard Webhooks](https://www.standardwebhooks.com/) 1.0. Účet může mít nejvýš ${per_account} webhooků.

Webhook založíte přes \`POST /api/v1/webhooks\` s polem \`url\`. \`types\` vybírá jen některé typy změn; null znamená všechny. V odpovědi je \`secret\`
(\`whsec_…\`), který se už znovu neukáže: uložte si ho. \`POST /api/v1/webhooks/{id}/test\` hned pošle zprávu typu \`webhook.test\`.

## Zpráva

${MESSAGE}

- \`data\` je záznam tak, jak vám ho ukazuje \`GET /changes\`. \`type\` opakuje jeho typ; \`timestamp\` je čas, kdy zpráva vznikla.
- \`previous\` je kurzor předchozí zprávy tomuto webhooku; v první zprávě null.
- \`webhook-id\` označuje zprávu a při každém pokusu je stejné. \`webhook-timestamp\` je čas tohoto pokusu v unixových sekundách.
- Zpráva je menší než 32 KB.

## Ověření

Na vaši adresu může poslat data kdokoli, proto každou zprávu před použitím ověřte. Ověřujte tělo přesně tak, jak přišlo, bajt po bajtu, ještě před
rozebráním. Tento příjemce používá knihovnu [standardwebhooks](https://www.npmjs.com/package/standardwebhooks), která existuje pro řadu jazyků:

${WITH_LIBRARY}

Ověřovat můžete i bez knihovny. Podpis je HMAC-SHA-256 textu \`id.timestamp.body\`. Klíčem jsou bajty, které vzniknou dekódováním části tajemství za \`whsec_\` z Base64. Hlavička \`webhook-signature\` má jeden nebo víc podpisů oddělených mezerami;
stačí, když jeden souhlasí. Odmítněte časy, které se od vašich hodin liší o víc než 5 minut.

${BY_HAND}

\`POST /api/v1/webhooks/{id}/rotate\` vydá jiné tajemství. Ještě ${former_secret / 3600} hodin mají zprávy podpis starým i novým tajemstvím, takže příjemce může přejít na nové a o nic nepřijde.

## Co odpovědět

- **Jakékoli 2xx do ${answer.within} sekund** znamená doručeno. Odpovězte hned, jak zprávu uložíte, a zpracujte ji až potom. Tělo vaší odpovědi se
  nepoužívá; první ${answer.kept / 1024} KB se uchová pro hledání chyb a přečte se nejvýš ${answer.read / 1024} KB.
- **410** webhook hned pozastaví.
- **Všechno ostatní** je neúspěch a zkouší se znovu: jiné stavy, přesměrování (nenásledují se), odpověď, která nepřišla včas, chyba spojení
  nebo certifikátu.

## Opakování a pozastavení

Neúspěšná zpráva se zkusí znovu po 5 sekundách, 1 minutě, 5 minutách, 30 minutách, 2 hodinách, 6 hodinách, 12 hodinách a pak jednou denně, nejdéle
${tries.give_up_after / DAY} dní od prvního pokusu. Potom se webhook pozastaví a vy dostanete oznámení. \`PATCH /api/v1/webhooks/{id}\` s \`{"status": "active"}\`
ho znovu spustí od této chvíle; čekající zprávy už nepřijdou a co jste zmeškali, najdete v \`/changes\`.

\`GET /api/v1/webhooks/{id}/deliveries\` ukazuje zprávy s jejich stavem, počtem pokusů a poslední odpovědí. Zprávy se uchovávají ${deliveries_kept / DAY} dní.
\`POST …/deliveries/{id}/retry\` pošle zprávu znovu. Dokud je účet zablokovaný nebo nemá právo na tokeny, neposílá se nic.

## Pořadí, opakování, mezery

- Zprávy jednoho webhooku chodí po jedné v pořadí změn. **Neúspěšná zpráva zdrží všechny další**, dokud není doručena nebo dokud neselže i její poslední pokus.
- Zpráva může přijít víckrát, například když se vaše odpověď ztratí. Pamatujte si \`webhook-id\` zpráv, které jste už zpracovali.
- Ukládejte si \`data.cursor\` každé zprávy. Když je \`previous\` další zprávy jiný kurzor, něco chybí: čtěte \`GET /changes?cursor=\` od toho, který máte
  uložený. Po pozastavení čtěte \`/changes\` vždy, protože změny z doby pozastavení se neposílají.
- Zkušební zpráva obvykle mezeru nezpůsobí: její \`data.cursor\` je kurzor předchozí zprávy. Když ve stejnou chvíli čeká nebo se odesílá jiná zpráva, může být
  \`data.cursor\` zkušební zprávy jiný. Další zpráva pak může vypadat, jako by před ní něco chybělo: některé záznamy přečtete dvakrát, ale o žádný nepřijdete.
- Přístup k věci se ověřuje při odeslání: nedostanete nic, co už nesmíte vidět.

## Adresy

Adresa je https, má nejvýš ${LIMITS.webhooks.url.max} znaků a neobsahuje jméno ani heslo. Jméno serveru se překládá při každém pokusu. Adresa je odmítnuta, když se jméno serveru
nedá přeložit nebo když je některá z jeho IP adres soukromá, místní či vyhrazená nebo je to adresa IPv6 obsahující adresu IPv4. Na požadavek, který zakládá nebo mění webhook
s odmítnutou adresou, přijde 422 s chybou u \`url\`. Při odesílání zprávy platí odmítnutá adresa za neúspěšný pokus.
Příjemce na vlastním počítači zkoušejte se sandboxem (\`npm run sandbox\` v repozitáři), který soukromé adresy a http dovoluje.
`,
};

/** /docs/webhooks: all information for developers who receive webhooks (REF-10). */
export function webhooksPage({ at, locale, origin }: DocsContext): DocsPage {
  const title = docsTranslator(locale)('webhooks');
  const text = TEXT[locale].trim().replaceAll('{origin}', origin).replace('{changes}', at('/docs/changes'));
  return { path: '/docs/webhooks', title, markdown: `# ${title}\n\n${text}` };
}

import { CHANGE_TEXTS } from '#contract/change-texts';
import { CHANGE_SUBJECTS, CHANGE_TYPES } from '#contract/changes';
import { LIMITS } from '#contract/limits';
import { SCOPES_OF_SUBJECT } from '#contract/scopes';
import type { Locale } from '#contract/vocabulary';
import type { DocsContext, DocsPage } from './docs-page';
import { docsTranslator } from './texts';

const { streams, waits } = LIMITS.shares;

/** A stream that begins with its starting position, and then has an entry and a comment. */
const STREAM = `
\`\`\`text
id: q1Rk8u3pXz0Yd7Lw

id: Vn5sBf2HcT9mJeGa
data: {"id":"mJeGaq1Rk8u3pXz0","cursor":"Vn5sBf2HcT9mJeGa","type":"event.updated","subject":{…},…}

:

\`\`\``.trim();

/** A client of a stream. A test runs this sample. */
const CLIENT = `
\`\`\`js
async function follow(token, lastId, onEntry, signal) {
  const headers = { Authorization: \`Bearer \${token}\`, Accept: 'text/event-stream' };
  if (lastId) headers['Last-Event-ID'] = lastId;
  const response = await fetch('{origin}/api/v1/changes', { headers, signal });
  if (response.status !== 200) throw new Error((await response.json()).code);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return lastId;
    const messages = (rest + value).split('\\n\\n');
    rest = messages.pop();
    for (const message of messages) {
      lastId = /^id: (.*)$/m.exec(message)?.[1] ?? lastId;
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (data) onEntry(JSON.parse(data));
    }
  }
}
\`\`\``.trim();

const TEXT: Readonly<Record<Locale, string>> = {
  en: `
\`GET /api/v1/changes\` is one ordered feed of everything that concerns you. Every entry has a \`type\`, a \`subject\` with the \`id\` of the thing and the \`url\` where you can read it, and \`by\`, the account that acted (null for operators, for the service itself, and in every entry of a type \`.gone\`). \`by\` is not always the person whom a change is about: if the organizer approves a participant, \`by\` is the organizer, and \`subject\` is the participant. Your access is checked when an entry is read: if you no longer have access to a thing, you only see that it is gone. The same entries arrive by [webhooks]({webhooks}).

A token sees the entries of its scopes, which are named below for each kind of subject; \`read\` and \`write\` contain every scope. Some entries need a different or an additional scope: an entry \`participant.*\` about your own participation needs a scope of \`event\`; an entry about the list of a group's events needs the scope of \`group\`; an entry about a notice also needs the scope of the notice's subject.

## Streams

With \`Accept: text/event-stream\`, the answer is a stream of server-sent events. Each entry has its cursor as \`id\`; an \`id\` without \`data\` is only a position. A comment (\`:\`) is sent at least every 15 seconds:

${STREAM}

The class \`EventSource\` of browsers cannot send \`Authorization\`. Use \`fetch\`, or the SDK. When the stream ends or the connection breaks, open the stream again with the last \`id\` as \`Last-Event-ID\`. If \`follow\` throws, use the \`cursor\` of the last entry, which is the same value:

${CLIENT}

An account can have ${streams.account} streams and ${waits.account} requests with \`wait\` at a time; a further one gets 429 \`too_many_requests\` with \`Retry-After\`. \`streams\` of \`GET /limits\` shows how many streams are open. If no stream is free, use \`?wait=25\`.
`,
  cs: `
\`GET /api/v1/changes\` je jeden seřazený seznam všeho, co se vás týká. Každý záznam má \`type\`, dále \`subject\`, který věc označuje pomocí \`id\` a adresy \`url\`, na níž ji přečtete, a \`by\`, tedy účet, který změnu provedl (null u provozovatelů, u služby samotné a v každém záznamu typu \`.gone\`). \`by\` nemusí být osoba, které se změna týká: když pořadatel schválí účastníka, je \`by\` pořadatel a \`subject\` účastník. Váš přístup se kontroluje při čtení záznamu: pokud k věci už přístup nemáte, uvidíte jen to, že zmizela. Stejné záznamy chodí i [webhooky]({webhooks}).

Token vidí záznamy svých rozsahů; ty jsou níže u každého druhu věci, \`read\` a \`write\` obsahují všechny. Některé záznamy potřebují jiný nebo další rozsah: záznam \`participant.*\` o vaší vlastní účasti rozsah pro \`event\`, záznam o seznamu akcí skupiny rozsah pro \`group\` a záznam o oznámení také rozsah pro věc, o které oznámení je.

## Proudy

S \`Accept: text/event-stream\` je odpověď proud událostí (server-sent events). Každý záznam má svůj kurzor jako \`id\`; \`id\` bez \`data\` je jen místo v seznamu. Nejméně jednou za 15 sekund přijde komentář (\`:\`):

${STREAM}

Třída \`EventSource\` v prohlížečích neumí poslat \`Authorization\`. Použijte \`fetch\` nebo SDK. Když proud skončí nebo se spojení přeruší, otevřete proud znovu s posledním \`id\` v \`Last-Event-ID\`. Když \`follow\` vyhodí chybu, použijte \`cursor\` posledního záznamu, má stejnou hodnotu:

${CLIENT}

Účet může mít najednou ${streams.account} proudy a ${waits.account} požadavků s \`wait\`; na další přijde 429 \`too_many_requests\` s \`Retry-After\`. Kolik proudů je otevřeno, ukazuje \`streams\` v \`GET /limits\`. Není-li volný žádný proud, použijte \`?wait=25\`.
`,
};

/** /docs/changes: every type of change with its meaning and its scopes, and how to read a stream (REF-11). */
export function changesPage({ at, locale, origin }: DocsContext): DocsPage {
  const say = docsTranslator(locale);
  const parts = CHANGE_SUBJECTS.map((subject) => {
    const scopes = SCOPES_OF_SUBJECT[subject].map((scope) => `\`${scope}\``).join(say('or'));
    const rows = CHANGE_TYPES.filter((type) => type.startsWith(`${subject}.`)).map(
      (type) => `| \`${type}\` | ${CHANGE_TEXTS[type][locale]} |`,
    );
    const table = `| ${say('change_type')} | ${say('meaning')} |\n|---|---|\n${rows.join('\n')}`;
    return `## ${subject}\n\n${say('scope')}: ${scopes}\n\n${table}`;
  });
  const text = TEXT[locale].trim().replace('{origin}', origin).replace('{webhooks}', at('/docs/webhooks'));
  return {
    path: '/docs/changes',
    title: say('changes'),
    markdown: [`# ${say('changes')}`, text, ...parts].join('\n\n'),
  };
}

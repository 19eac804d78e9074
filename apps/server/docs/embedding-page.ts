import type { Locale } from '#contract/vocabulary';
import type { DocsContext, DocsPage } from './docs-page';
import { docsTranslator } from './texts';

const TEXT: Readonly<Record<Locale, string>> = {
  en: `
Public events, groups, people and series have addresses that other sites and programs can use without a token. These addresses are not part of the API: they begin with
\`{origin}\`, without \`/api/v1\`, and their errors have no fixed form. \`ID\` is the id of an event, group or series in the API, and \`SLUG\` is the slug of a person. Requests for private, removed or unknown objects are answered with 404.

## Calendars and feeds

Programs can subscribe to these addresses. Each answer has an \`ETag\`, and a matching \`If-None-Match\` is answered with 304.

| Address | Content |
|---|---|
| \`/events/ID.ics\` | the event, to import into a calendar |
| \`/groups/ID/calendar.ics\` | the group's own public events |
| \`/people/SLUG/calendar.ics\` | the public events that the person organizes |
| \`/series/ID/calendar.ics\` | the dates of the series |
| \`/people/SLUG/posts.atom\` | the published posts of the person (Atom, at most 100) |
| \`/groups/ID/posts.atom\` | the published posts about the group's public events |

A person's own calendar, with private events, has a secret address: \`GET /api/v1/user/calendar\`.

## A frame on a page

The element \`<events-embed>\` shows an event, a group or a person, and has the height of its content:

\`\`\`html
<script src="{origin}/embed.js" async></script>
<events-embed src="{origin}/events/ID" locale="en" theme="auto"></events-embed>
\`\`\`

\`src\` is the address of the object's page. \`locale\` is \`cs\` or \`en\`, \`theme\` is \`light\`, \`dark\` or \`auto\`, and \`title\` is the title of the frame; all three are optional.
A site that allows no scripts of other servers uses a frame. Its address has the parameters \`locale\` and \`theme\`, and its height is fixed:

\`\`\`html
<iframe src="{origin}/embed/events/ID?locale=en&amp;theme=light" width="600" height="420" title="Tea at five"></iframe>
\`\`\`

The other frames are \`/embed/groups/ID\` and \`/embed/people/SLUG\`.

## oEmbed

\`GET /oembed?url=ADDRESS\` returns JSON that describes the frame for an event, a group or a person ([oEmbed](https://oembed.com) 1.0, type \`rich\`), for scripts of any site. \`ADDRESS\` is the address of the object's page,
percent-encoded. \`maxwidth\` and \`maxheight\` limit the frame in pixels. \`format=json\` is the only format; a request for any other format is answered with 501. The pages link to \`/oembed\`, so many programs find this address without a setting.

## Import

People import events on \`/events/import\`: from an \`.ics\` file, from the address of such a file (\`https:\` or \`webcal:\`), or from a web page with schema.org data of an \`Event\` in JSON-LD.
The service fills in the form of a new event, and the person sends the form. The API has no operation for this: read the data yourself and send them to \`POST /api/v1/events\`.
`,
  cs: `
Veřejné akce, skupiny, lidé a série mají adresy, které jiné weby a programy používají bez tokenu. Tyto adresy nejsou součástí API: začínají na
\`{origin}\`, bez \`/api/v1\`, a jejich chyby nemají pevnou podobu. \`ID\` je id akce, skupiny nebo série v API, \`SLUG\` je slug člověka. Na soukromé, odstraněné a neznámé věci přijde 404.

## Kalendáře a kanály

Programy mohou tyto adresy odebírat. Každá odpověď má \`ETag\` a na shodné \`If-None-Match\` přijde 304.

| Adresa | Obsah |
|---|---|
| \`/events/ID.ics\` | akce, k načtení do kalendáře |
| \`/groups/ID/calendar.ics\` | vlastní veřejné akce skupiny |
| \`/people/SLUG/calendar.ics\` | veřejné akce, které člověk pořádá |
| \`/series/ID/calendar.ics\` | termíny série |
| \`/people/SLUG/posts.atom\` | zveřejněné příspěvky člověka (Atom, nejvýš 100) |
| \`/groups/ID/posts.atom\` | zveřejněné příspěvky o veřejných akcích skupiny |

Vlastní kalendář člověka, i se soukromými akcemi, má tajnou adresu: \`GET /api/v1/user/calendar\`.

## Rámec na stránce

Prvek \`<events-embed>\` ukáže akci, skupinu nebo člověka a je vysoký podle obsahu:

\`\`\`html
<script src="{origin}/embed.js" async></script>
<events-embed src="{origin}/events/ID" locale="cs" theme="auto"></events-embed>
\`\`\`

\`src\` je adresa stránky akce, skupiny nebo člověka. \`locale\` je \`cs\` nebo \`en\`, \`theme\` je \`light\`, \`dark\` nebo \`auto\` a \`title\` je název rámce; všechny tři jsou nepovinné.
Web, který nedovoluje skripty jiných serverů, použije rámec. Jeho adresa má parametry \`locale\` a \`theme\` a jeho výška je pevná:

\`\`\`html
<iframe src="{origin}/embed/events/ID?locale=cs&amp;theme=light" width="600" height="420" title="Čaj o páté"></iframe>
\`\`\`

Další rámce jsou \`/embed/groups/ID\` a \`/embed/people/SLUG\`.

## oEmbed

\`GET /oembed?url=ADDRESS\` vrátí JSON s popisem rámce pro akci, skupinu nebo člověka ([oEmbed](https://oembed.com) 1.0, typ \`rich\`), pro skripty jakéhokoli webu. \`ADDRESS\` je adresa stránky této akce, skupiny nebo člověka
s procentovým kódováním. \`maxwidth\` a \`maxheight\` omezí rámec v pixelech. Jediný formát je \`format=json\`; na jiný přijde 501. Stránky na \`/oembed\` odkazují, takže tuto adresu mnoho programů najde samo.

## Import

Lidé importují akce na \`/events/import\`: ze souboru \`.ics\`, z jeho adresy (\`https:\` nebo \`webcal:\`), nebo z webové stránky s daty schema.org o \`Event\` v JSON-LD.
Služba vyplní formulář nové akce a člověk ho odešle. API na to operaci nemá: data přečtěte sami a pošlete je na \`POST /api/v1/events\`.
`,
};

/** /docs/embedding: the addresses outside the API that other sites and programs use without a token (REF-16). */
export function embeddingPage({ locale, origin }: DocsContext): DocsPage {
  const title = docsTranslator(locale)('embedding');
  const text = TEXT[locale].trim().replaceAll('{origin}', origin);
  return { path: '/docs/embedding', title, markdown: `# ${title}\n\n${text}` };
}

import { LIMITS } from '#contract/limits';
import { SCOPE_TEXTS } from '#contract/scope-texts';
import { SCOPE_OF_OPERATION, SCOPES, type OperationId, type Scope } from '#contract/scopes';
import type { Locale } from '#contract/vocabulary';
import type { DocsContext, DocsPage } from './docs-page';
import { anchorOf } from './operations';
import { docsTranslator } from './texts';

const { apps, door } = LIMITS;
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

const TEXT: Readonly<Record<Locale, string>> = {
  en: `
For developers of apps and scripts: what a token may do, how it ends, where to store it, and what to do when a token leaks.

## What each scope allows

Ask for the narrowest scopes that your app needs: the person reads each of them before allowing the app. \`read\` allows every operation that only reads,
\`write\` allows every operation, and each \`x:write\` includes \`x:read\`. An app that sends no \`scope\` gets \`read\`. \`getUser\` and \`listLimits\` need no scope. A request
without the necessary scope is refused with 403 \`insufficient_scope\`, and \`WWW-Authenticate\` names the missing scope. The token of a door link allows only \`getEventDoor\` and \`sendDoorScans\` of its
event; all other requests, also \`getUser\` and \`listLimits\`, are refused with 403 \`insufficient_scope\`, and no scope is named. Changes and notices about data that the app may not read are
omitted ([the scopes of each change]({changes})). \`check_in_code\` and \`ticket_code\` are null if the token has none of the scopes \`join\`, \`read\` and \`write\`.

{scopes}

## How tokens and grants end

A grant is the permission that a person has given to an app. The app's access tokens and refresh tokens belong to the grant.

| What | Ends |
|---|---|
| personal token | when its owner revokes it, or on the date that its owner has chosen |
| authorization code | after ${apps.code} seconds, or when it is exchanged; a second exchange ends the grant |
| device code | after ${apps.device_code / MINUTE} minutes, or when it is exchanged; a second exchange ends the grant. The person can answer only once |
| access token of an app | after ${apps.access_token / HOUR} hour, or when its grant ends |
| refresh token | when it is used. For ${apps.refresh_again} seconds after its first use it may be used again, because the answer can be lost. If the token is used later, the grant ends |
| grant | after ${apps.unused / DAY} days without use; when the person disconnects the app on \`/account/apps\`; when the app sends one of its tokens to \`/oauth/revoke\`; when the app or the account is deleted. If an account has more than ${apps.grants_per_account} grants, the grant that has not been used for the longest time ends |
| webhook or door link that an app has created | when the grant of the app ends |
| door link | ${door.links.after_end / HOUR} hours after the end of the event; when the organizer deletes it; when the event is deleted; when the organizer is banned |
| old client secret | ${apps.former_secret / HOUR} hours after the rotation |

Each of these endings takes effect with the next request. A new password ends neither grants nor personal tokens; the page on which the password is changed offers to end the grants.
While an account is banned or is not allowed to have tokens, requests with its tokens are refused. While an app is suspended, requests with the tokens of the app are refused. When the
ban or the suspension ends, or the account may have tokens again, the tokens work again.

## Errors of the token address and of redirects

The address for tokens answers with \`{"error", "error_description"}\` instead of the envelope of the API. A refused authorization returns to your redirect address with the same
two parameters.

| \`error\` | Cause | What to do |
|---|---|---|
| \`invalid_grant\` | the code or refresh token is unknown, was already used, has expired or belongs to another app; the grant has ended; \`code_verifier\` or \`redirect_uri\` differs from the authorization | connect the person again |
| \`invalid_client\` | the app is unknown, was deleted, or its secret is wrong | check \`client_id\` and the secret |
| \`invalid_scope\` | no requested scope is known; or a refresh asks for a scope that the grant does not name (\`x:read\` too, if the grant names only \`x:write\`) | authorization: name scopes of the table above; refresh: send \`scope\` only to ask for fewer of the granted scopes |
| \`invalid_target\` | \`resource\` is not an address of this API | leave out \`resource\`, or send the address of the API |
| \`interaction_required\` | \`prompt=none\`, but the person has to answer | authorize without \`prompt\` |
| \`access_denied\` | the person has not allowed access | continue without the account |
| \`temporarily_unavailable\` | 429: too many requests or new apps from one address | wait as long as \`Retry-After\` demands |

## Storing tokens

- **A browser app without a backend** is a public client and has no secret. Keep tokens in memory or in \`sessionStorage\`, so that they end with the tab, and
  allow no third-party scripts on the page: a script on the page can read everything that your app reads.
- **A program on a computer** stores tokens in the system's keychain, or in a file that only its owner can read. Listen for the answer on \`127.0.0.1\`, never
  on all addresses, or use a device code.
- **A server** stores refresh tokens encrypted, and its client secret outside the repository. Rotate the secret on \`/account/apps/own\`.
- Send tokens in the header \`Authorization\` only. They do not belong in addresses, logs, error reports or screenshots.
- Use PKCE with \`S256\` and a random \`state\` for each authorization, and check \`state\` and \`iss\` of the answer before you use it. The SDK does all of this.
- Store the new refresh token before you use the new access token, and let only one process at a time use the refresh token.
- A door link contains its secret after \`#\`. Send the link only to helpers: until the link ends, its page shows the names of participants.

## When a token leaks

1. End the token: revoke a personal token on \`/account/api\`, disconnect the app on \`/account/apps\`, or send the token of an app to \`/oauth/revoke\` with its \`client_id\`:

   \`\`\`sh
   curl {origin}/oauth/revoke -d client_id=… -d token=…
   \`\`\`

   For a personal token, \`/oauth/revoke\` answers 200 and does nothing. Rotate a leaked client secret on \`/account/apps/own\`. If the old secret must end at once, delete the app and register another one.
2. Look at what happened: \`listRequests\` and the tab *Requests* show the requests of the last 7 days, each with its token and its app.
3. Inform the people whose data your app had.

Tokens begin with \`evt_\`, and client secrets with \`evs_\`. Programs that search for leaked secrets recognize both by these letters.

## Reporting a problem of the service

Write to the contact in \`{origin}/.well-known/security.txt\`, if this server has one, otherwise to the operator of this server. Describe what you did and what you saw, and
add the \`X-Request-Id\` of the responses. Use your own accounts and a server of your own (\`npm run sandbox\` in the repository) for your tests, and send no data of other people.
`,
  cs: `
Pro vývojáře aplikací a skriptů: co token smí, jak skončí, kam ho uložit a co dělat, když unikne.

## Co který rozsah dovolí

Žádejte o nejužší rozsahy, které vaše aplikace potřebuje: člověk si je před povolením přečte. \`read\` dovolí všechny operace, které jen čtou, \`write\` všechny operace a každý
rozsah \`x:write\` obsahuje i \`x:read\`. Bez \`scope\` dostane aplikace \`read\`. \`getUser\` a \`listLimits\` žádný rozsah nepotřebují. Požadavek bez potřebného rozsahu se odmítne:
403 \`insufficient_scope\` a \`WWW-Authenticate\` jmenuje chybějící rozsah. Token odkazu pro vstup smí jen \`getEventDoor\` a \`sendDoorScans\` své akce; všechno ostatní, i \`getUser\` a \`listLimits\`,
se odmítne s 403 \`insufficient_scope\` bez jména rozsahu. Změny a oznámení o tom, co aplikace podle rozsahů nesmí číst, se vynechávají ([rozsahy jednotlivých změn]({changes})).
Nemá-li token žádný z rozsahů \`join\`, \`read\` a \`write\`, jsou \`check_in_code\` a \`ticket_code\` null.

{scopes}

## Jak tokeny a povolení končí

Povolení je souhlas, který člověk dal aplikaci. Patří k němu přístupové a obnovovací tokeny aplikace.

| Co | Končí |
|---|---|
| osobní token | když ho vlastník zruší, nebo dnem, který vlastník zvolil |
| autorizační kód | po ${apps.code} sekundách, nebo výměnou; druhá výměna ukončí povolení |
| kód zařízení | po ${apps.device_code / MINUTE} minutách, nebo výměnou; druhá výměna ukončí povolení. Člověk může odpovědět jen jednou |
| přístupový token aplikace | po ${apps.access_token / HOUR} hodině, nebo když skončí jeho povolení |
| obnovovací token | použitím. Do ${apps.refresh_again} sekund od prvního použití ho lze použít znovu, protože odpověď se může ztratit; pozdější použití ukončí povolení |
| povolení | po ${apps.unused / DAY} dnech bez použití; když člověk aplikaci odpojí na \`/account/apps\`; když aplikace pošle některý ze svých tokenů na \`/oauth/revoke\`; smazáním aplikace nebo účtu. Má-li účet více než ${apps.grants_per_account} povolení, skončí to, které se nejdéle nepoužilo |
| webhook nebo odkaz pro vstup, který založila aplikace | když skončí povolení aplikace |
| odkaz pro vstup | ${door.links.after_end / HOUR} hodin po konci akce; když ho pořadatel smaže; smazáním akce; zablokováním pořadatele |
| předchozí tajemství aplikace | ${apps.former_secret / HOUR} hodin po výměně |

Každé ukončení platí od dalšího požadavku. Nové heslo povolení ani osobní tokeny neukončí; stránka s heslem nabídne povolení ukončit. Dokud je účet zablokovaný
nebo nemá právo na tokeny, nebo je aplikace pozastavená, požadavky se odmítají; potom tokeny zase fungují.

## Chyby adresy pro tokeny a přesměrování

Adresa pro tokeny odpovídá \`{"error", "error_description"}\` místo obálky API. Odmítnutá autorizace se vrací na vaši adresu se stejnými dvěma parametry.

| \`error\` | Příčina | Co s tím |
|---|---|---|
| \`invalid_grant\` | kód nebo obnovovací token neexistuje, byl už použit, vypršel nebo patří jiné aplikaci; povolení skončilo; \`code_verifier\` nebo \`redirect_uri\` se liší od autorizace | člověka znovu připojte |
| \`invalid_client\` | aplikace neexistuje, byla smazána, nebo je její tajemství chybné | zkontrolujte \`client_id\` a tajemství |
| \`invalid_scope\` | žádný z rozsahů neznáme; nebo obnovení žádá rozsah, který povolení nejmenuje (ani \`x:read\`, jmenuje-li jen \`x:write\`) | při autorizaci uveďte rozsahy z tabulky výše; při obnovení posílejte \`scope\`, jen když chcete méně, než je povoleno |
| \`invalid_target\` | \`resource\` není adresa tohoto API | \`resource\` vynechte, nebo pošlete adresu API |
| \`interaction_required\` | \`prompt=none\`, ale člověk musí odpovědět | autorizujte bez \`prompt\` |
| \`access_denied\` | člověk přístup nepovolil | pokračujte bez účtu |
| \`temporarily_unavailable\` | 429: příliš mnoho požadavků nebo nových aplikací z jedné adresy | počkejte, jak žádá \`Retry-After\` |

## Ukládání tokenů

- **Aplikace v prohlížeči bez serveru** je veřejný klient a žádné tajemství nemá. Tokeny držte v paměti nebo v \`sessionStorage\`, aby skončily s panelem,
  a nepouštějte na stránku cizí skripty: skript na stránce přečte totéž co vaše aplikace.
- **Program na počítači** ukládá tokeny do klíčenky systému, nebo do souboru, který přečte jen jeho vlastník. Na odpověď čekejte na \`127.0.0.1\`, nikdy ne na
  všech adresách, nebo použijte kód zařízení.
- **Server** ukládá obnovovací tokeny zašifrované a tajemství aplikace mimo repozitář. Tajemství vyměníte na \`/account/apps/own\`.
- Tokeny posílejte jen v hlavičce \`Authorization\`. Nepatří do adres, protokolů, hlášení chyb ani snímků obrazovky.
- Používejte PKCE se \`S256\` a náhodný \`state\` pro každou autorizaci a před použitím odpovědi zkontrolujte \`state\` a \`iss\`. SDK to všechno dělá samo.
- Nový obnovovací token uložte dřív, než použijete nový přístupový, a obnovujte vždy jen v jednom procesu.
- Odkaz pro vstup má tajemství za \`#\`. Posílejte ho jen pomocníkům: dokud neskončí, ukazuje jeho stránka jména účastníků.

## Když token unikne

1. Ukončete ho: osobní token zrušte na \`/account/api\`, aplikaci odpojte na \`/account/apps\`, nebo pošlete token aplikace na \`/oauth/revoke\` s jejím \`client_id\`:

   \`\`\`sh
   curl {origin}/oauth/revoke -d client_id=… -d token=…
   \`\`\`

   Na osobní token odpoví \`/oauth/revoke\` 200 a neudělá nic. Uniklé tajemství aplikace vyměňte na \`/account/apps/own\`; musí-li to předchozí skončit hned, aplikaci smažte a zaregistrujte jinou.
2. Podívejte se, co se stalo: \`listRequests\` a záložka *Požadavky* ukazují požadavky za posledních 7 dní i s jejich tokenem a aplikací.
3. Dejte vědět lidem, jejichž data vaše aplikace měla.

Tokeny začínají \`evt_\`, tajemství aplikací \`evs_\`: podle těchto písmen je najdou programy, které hledají tajemství.

## Nahlášení chyby služby

Napište na kontakt v \`{origin}/.well-known/security.txt\`, pokud ho tento server má, jinak provozovateli serveru. Napište, co jste udělali a co jste viděli,
a přidejte \`X-Request-Id\` odpovědí. Zkoušejte na vlastních účtech a na vlastním serveru (\`npm run sandbox\` v repozitáři) a neposílejte data jiných lidí.
`,
};

/** /docs/security: what tokens permit, when they become invalid, and how developers store them (REF-15). */
export function securityPage(context: DocsContext): DocsPage {
  const { at, locale, origin } = context;
  const title = docsTranslator(locale)('security');
  const text = TEXT[locale]
    .trim()
    .replaceAll('{origin}', origin)
    .replace('{changes}', at('/docs/changes'))
    .replace('{scopes}', scopeTable(context));
  return { path: '/docs/security', title, markdown: `# ${title}\n\n${text}` };
}

/** A table of the scopes: the text that the person reads on the consent page, and the operations. */
function scopeTable({ at, locale, operations }: DocsContext): string {
  const say = docsTranslator(locale);
  const operationsOf = (scope: Scope): string =>
    scope === 'read' || scope === 'write'
      ? say(scope === 'read' ? 'scope_reads' : 'scope_writes')
      : operations
          .filter(({ id }) => SCOPE_OF_OPERATION[id as OperationId] === scope)
          .map((operation) => `[\`${operation.id}\`](${at(`/docs${anchorOf(operation)}`)})`)
          .join(', ');
  const rows = SCOPES.map((scope) => `| \`${scope}\` | ${SCOPE_TEXTS[scope][locale]} | ${operationsOf(scope)} |`);
  return [`| ${say('scope')} | ${say('scope_text')} | ${say('operations')} |`, '|---|---|---|', ...rows].join('\n');
}

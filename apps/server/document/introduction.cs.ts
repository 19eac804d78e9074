import { LIMITS } from '#contract/limits';

const { apps, pagination, requests, transport } = LIMITS;

/** The introduction in Czech. It has the same headings and content as the English introduction. */
export const INTRODUCTION_CS = `
API v JSON pro společné akce: procházejte, co se děje, pořádejte vlastní, přidávejte se k cizím, domlouvejte se a dělte náklady.

## První volání

V *Profil → Pro vývojáře* ({origin}/account/api) si vytvořte token a zeptejte se, kdo jste:

\`\`\`sh
curl {origin}/api/v1/user -H 'Authorization: Bearer evt_…'
\`\`\`

Pak založte akci. Stačí název a začátek:

\`\`\`sh
curl {origin}/api/v1/events -H 'Authorization: Bearer evt_…' -H 'Content-Type: application/json' \\
  -d '{"title": "Tea at five", "starts_at": "2030-05-01T16:00:00Z"}'
\`\`\`

Jedna věc přichází jako \`{"data": {…}}\`, více věcí jako \`{"data": […]}\`.

## Tokeny

Každý požadavek nese \`Authorization: Bearer evt_…\`. Token je ke čtení, ke čtení a zápisu, nebo pro některé části API
([rozsahy]({origin}/docs/security)); jiné použití se odmítne s 403 \`insufficient_scope\`.
Účet tokenu musí být ověřený nebo mít Premium (jinak 403 \`premium_required\`). Token může vypršet a lze ho kdykoli
zrušit. Není to JWT: uvnitř není co číst. Držte ho v tajnosti a nedávejte ho do adres URL.
Kdy účtu skončí Premium, ukazuje \`premium_until\` v \`GET /user\`; na ukázkovém serveru ho nováček má na 30 dní.

## První aplikace za deset minut

Osobní token jedná za vás. Aplikace jedná za každého, kdo ji připojí, přes OAuth 2.1 a nikdy nevidí heslo.

1. **Zaregistrujte ji.** V odpovědi je \`client_id\`. Takto zaregistrovaná aplikace nemá tajemství; když ji nikdo nepřipojí, po ${apps.registration_unused / 3600} hodinách se smaže. Aplikace se
   jménem vývojáře, ikonou nebo tajemstvím se zakládají na {origin}/account/apps/own. V odpovědi jsou i pole OpenID Connect, která tu nemají žádný účinek, a \`scope\` v tomto požadavku se přehlíží: rozsahy vyberte ve 2. kroku.

   \`\`\`sh
   curl {origin}/oauth/register -H 'Content-Type: application/json' \\
     -d '{"client_name": "My events", "redirect_uris": ["http://127.0.0.1/"]}'
   \`\`\`

2. **Zeptejte se člověka.** Vytvořte náhodný \`code_verifier\` a náhodný \`state\`, obojí si zapamatujte a pošlete prohlížeč na adresu níže. \`code_challenge\` je
   SHA-256 verifieru v base64url. Je-li adresa návratu na vlastním počítači člověka, smí mít jakýkoli port.

   \`\`\`text
   {origin}/oauth/authorize?response_type=code&client_id=CLIENT_ID&redirect_uri=http://127.0.0.1:8080/&scope=events:read&state=STATE&code_challenge=CHALLENGE&code_challenge_method=S256
   \`\`\`

3. **Vyměňte kód.** Prohlížeč se vrátí na vaši adresu s \`code\`, \`state\` a \`iss\`. Pokračujte, jen když je \`state\` váš a \`iss\` je \`{origin}\`.

   \`\`\`sh
   curl {origin}/oauth/token -d grant_type=authorization_code -d client_id=CLIENT_ID -d code=CODE \\
     -d redirect_uri=http://127.0.0.1:8080/ -d code_verifier=VERIFIER
   \`\`\`

4. **Volejte API** s \`access_token\`, který platí hodinu. Potom dostanete za \`refresh_token\` novou dvojici tokenů; uložte ji místo předchozí dvojice.

   \`\`\`sh
   curl {origin}/api/v1/events -H 'Authorization: Bearer ACCESS_TOKEN'
   curl {origin}/oauth/token -d grant_type=refresh_token -d client_id=CLIENT_ID -d refresh_token=REFRESH_TOKEN
   \`\`\`

Zařízení nebo program v terminálu si vyžádá kód přes \`POST /oauth/device_authorization\` a ukáže ho; člověk kód zadá na {origin}/device. SDK to všechno dělá
(\`Connection\`) a v repozitáři jsou dvě ukázkové aplikace: jedna v prohlížeči bez vlastního serveru a jeden nástroj příkazové řádky (\`examples\`). Koncové body jsou v
{origin}/.well-known/oauth-authorization-server. Viz také [co který rozsah dovolí a jak ukládat tokeny]({origin}/docs/security).

## Stránky

Seznamy berou \`page\` (od ${pagination.page.min}) a \`per_page\` (${pagination.per_page.min} až ${pagination.per_page.max}, výchozí hodnota je ${pagination.per_page.default}) a vracejí \`data\`, \`links\` a \`meta\`. Jděte po
\`links.next\`, dokud není null; odkazy nesou i vaše ostatní parametry. \`meta.total\` je přesné. Místo stránek má \`/changes\`
kurzory; Puls a \`/limits\` nemají ani jedno.

Stránka se počítá od začátku seznamu. Když během procházení zmizí položka některé předchozí stránky, další položky se posunou a některá vám může uniknout; když položka
přibude, můžete jinou vidět dvakrát. Potřebujete-li všechno, projděte seznam znovu, nebo sledujte \`/changes\`.
\`GET /discover/events\` má i kurzory: posílejte \`meta.next_cursor\` jako \`cursor\`, dokud není null, a žádná akce, která v seznamu zůstává, se nevynechá ani nezopakuje.

Parametry dotazu, které operace nezná, se přehlížejí, i ty s překlepem. Při vývoji posílejte \`Prefer: handling=strict\`: neznámé parametry dotazu
a neznámá pole těla jsou pak 422 \`validation_failed\` a odpověď má \`Preference-Applied: handling=strict\`.

## Kopie toho, co vidí majitel tokenu

Uložte si kurzor z \`GET /changes\`, pak jednou přečtěte všechno a od tohoto kurzoru sledujte změny s \`include=subject\`: každý záznam má \`object\`, tedy obsah, který
vám teď ukáže GET na \`subject.url\`. Vrací-li tato adresa seznam, je \`object\` příslušná položka seznamu. Stránka má nejvýše 1 MB: pokračujte, dokud je \`meta.has_more\` true. Po 410 \`cursor_expired\` začněte znovu s novým kurzorem.

- Ukládejte \`object\` pod \`subject.type\`, \`subject.id\` a pod akci či skupinu, ke které patří (\`subject.event\`, \`subject.group\`): id účastníka nebo člena je slug člověka a ten je ve všech akcích a skupinách stejný.
- Když je \`object\` null, uložený objekt smažte. S akcí, skupinou nebo příspěvkem smažte i všechno, co k nim patří; se skupinou také akce, které vidíte jen díky ní.
- Je-li \`subject.url\` adresa akce nebo skupiny, je \`object\` tato akce nebo skupina. Platí to i pro záznamy \`member.*\` a pro záznamy \`participant.*\` o vás. Objekt s polem \`group_link\` je položka seznamu akcí skupiny: uložte ho do tohoto seznamu, ne místo akce.
- Některé záznamy mění i jiné objekty. Přečtěte je znovu, jednou za stránku záznamů: u \`participant.*\` akci; u \`member.*\` skupinu; u \`comment.*\` seznam na \`subject.url\`, protože
  odpověď je i v \`replies\` jiného komentáře; u \`expense.*\` výdaje na \`subject.url\`, protože platba přichází jako \`expense.updated\` a zůstatky vlastní záznamy nemají. Ukládáte-li seznamy akcí skupin, přečtěte je znovu u \`event.*\` a \`group.*\`.
- Když se stanete účastníkem akce nebo členem skupiny, přečtěte všechny její části: k těm, které jste dřív neviděli, nové záznamy nepřijdou.

## Časy

V odpovědích jsou časy v UTC na celé sekundy: \`2030-05-01T16:00:00Z\`. Posílejte ISO 8601 se \`Z\` nebo posunem; čas bez obojího se chápe
v pásmu Europe/Prague. Dny (\`2030-05-01\`) jsou pražské a pražský je i den každého denního limitu.

## Id

Id jsou texty z písmen (hashidy): uchovávejte je, jak přišly, a z délky nic neusuzujte. Uživatelé a příspěvky blogu mají v cestách místo id
\`slug\`. Kde je v cestě id akce, funguje i její číselné id. Požadavek na věc, kterou nesmíte vidět, dostane 404, jako by neexistovala.

## Těla

Posílejte objekt JSON s \`Content-Type: application/json\`. \`createPuls\` a nahrávání obrázků přijímají jen \`multipart/form-data\`, komentář obojí. Neznámá pole se přehlížejí. Texty se ořezávají a prázdný platí za
null. U **PATCH** zůstává chybějící pole, jak je, null ho maže a hodnota nahrazuje; PUT nahrazuje celek. Nepovinná pole
odpovědí mohou chybět, kde to reference říká; nová se mohou objevit kdykoli.

## Chyby

Každá chyba má stejnou podobu:

\`\`\`json
{"message": "The event is full.", "code": "event_full"}
\`\`\`

Rozhodujte se podle \`code\`, který se nikdy nemění, a \`message\` ukazujte: je pro lidi. Jen \`validation_failed\` má \`errors\`: texty podle
jména pole s tečkami (\`stops.0.title\`). Hlavička \`Link: <{origin}/docs/errors/event_full>; rel="help"\` vede na stránku o kódu.
Každá operace vyjmenovává všechny kódy, kterými odpovídá.

Některé odpovědi nepatří k žádné operaci: 404 \`not_found\` na neznámé cestě; 405 \`method_not_allowed\` pro metodu, kterou cesta nemá,
s hlavičkou \`Allow\`. Na chybné HTTP přijde 400 \`bad_request\`, 408 \`request_timeout\` nebo 431 \`headers_too_large\` a potom se
spojení zavře. 500 a 503 \`server_error\` nezpůsobil váš požadavek: po 503 ho opakujte, po 500 nahlaste \`X-Request-Id\`.

## Limity a opakování

Token smí poslat ${requests.per_token} požadavků za minutu a IP adresa ${requests.per_ip}, není-li server nastaven jinak; kolik zbývá, říkají \`X-RateLimit-Limit\` a
\`X-RateLimit-Remaining\`. Nad limit přijde 429 \`too_many_requests\` s \`Retry-After\` v sekundách: tak dlouho
počkejte. Denní limity mají vlastní kódy (\`daily_event_limit\`) a jejich \`Retry-After\` sahá do pražské půlnoci. Po 503 nebo
ztrátě spojení můžete GET poslat znovu beze změny. Zopakovat můžete i změnu, která má váš vlastní \`Idempotency-Key\`: během
24 hodin se provede jen jednou a každé opakování dostane první odpověď s \`Idempotency-Replayed: true\`. Když čtete něco znovu, pošlete jeho \`ETag\` v
\`If-None-Match\`: 304 znamená, že se nic nezměnilo. \`ETag\` vaší akce, série, skupiny, příspěvku či plánu posílejte se změnou jako \`If-Match\`.
Služba pak odmítne přepsat verzi, kterou jste neviděli: 412 \`precondition_failed\`. Tělo JSON smí mít ${transport.json_body / 1024 ** 2} MB; každé nahrávání uvádí svůj limit.

## Jazyky

\`message\` a \`errors\` jsou česky nebo anglicky, jak říká \`Accept-Language\`, jinak v jazyce majitele tokenu. Kódy, jména polí
a hodnoty jsou v každém jazyce stejné.

## Testování

\`npm run sandbox\` v repozitáři spustí vlastní server s ukázkovými daty, čtyřmi tokeny, velmi vysokými limity a hodinami, které vaše testy mohou posouvat
(\`docs/sandbox.md\`). Webhooky tohoto serveru smějí mít adresy http i adresy na vašem počítači. SDK tento server ovládá přes \`sandbox(baseUrl)\`.

## Verze

Verze je v cestě, \`/api/v1\`. V jejím rámci mohou přibývat pole, nepovinné parametry, operace, kódy a hodnoty: co neznáte, přehlížejte. Nic
nedostane jiný význam a nic nezmizí bez ohlášení. Odebrání se napřed ohlásí hlavičkami odpovědí
\`Deprecation\` (RFC 9745, odkdy) a \`Sunset\` (RFC 8594, dokdy) a v dokumentu OpenAPI údajem \`deprecated: true\`, aspoň šest měsíců předem. Změna,
která by klienty rozbila, přijde v jiné verzi vedle této.

## Licence

Licence zatím není: všechna práva mají autoři.
`.trim();

import type { RefusalHelp } from './help-text';
import { LIMITS } from './limits';

const { people, requests, retries, shares, transport } = LIMITS;
const JSON_MB = transport.json_body / 1024 ** 2;

/** Help for the codes that concern requests and accounts in general, and not one kind of object. */
export const GENERAL_HELP = {
  unauthenticated: {
    en: {
      meaning: 'The request has no token, or its token is wrong, revoked or expired. The server does not say which.',
      advice:
        'Send `Authorization: Bearer evt_…`. Do not repeat the request with the same token: ask the person for a new token, made in *Profile → For developers*.',
    },
    cs: {
      meaning: 'Požadavek nemá token, nebo má token chybný, zrušený či propadlý. Server neprozrazuje, co z toho platí.',
      advice:
        'Pošlete `Authorization: Bearer evt_…`. Se stejným tokenem požadavek neopakujte: požádejte člověka o nový z *Profil → Pro vývojáře*.',
    },
  },
  forbidden: {
    en: {
      meaning: 'The thing exists and you may see it, but only the organizer, the owner or the author may do this.',
      advice:
        'Do not offer the action to this person. Responses describe the person’s relation to a thing in `viewer`. To read an event that the person has joined, use `GET /api/v1/discover/events/{id}`; `GET /api/v1/events/{id}` is for the organizer. For a thing that the person may not even see, the code is 404 `not_found`.',
    },
    cs: {
      meaning: 'Ta věc existuje a smíte ji vidět, ale tuto akci smí provést jen pořadatel, vlastník nebo autor.',
      advice:
        'Tuto akci člověku nenabízejte. Vztah člověka k věci je v odpovědích v poli `viewer`. Akci, které se člověk účastní, čtěte přes `GET /api/v1/discover/events/{id}`; `GET /api/v1/events/{id}` je pro pořadatele. U věci, kterou člověk nesmí ani vidět, je kód 404 `not_found`.',
    },
  },
  not_found: {
    en: {
      meaning:
        'The path or the thing does not exist, or this person may not see it. The response for a private thing is the same as for a thing that does not exist.',
      advice:
        'Check the path and the id, letter by letter: ids are case-sensitive. If the thing existed before, it was deleted or made private: delete your copy too.',
    },
    cs: {
      meaning:
        'Taková cesta nebo věc neexistuje – nebo ji tento člověk nesmí vidět. Soukromé věci vypadají stejně jako neexistující.',
      advice:
        'Zkontrolujte cestu a id písmeno po písmenu: u id záleží na velikosti písmen. Pokud věc dřív existovala, byla smazána nebo je teď soukromá: smažte i svou kopii.',
    },
  },
  method_not_allowed: {
    en: {
      meaning: 'The path exists, but not with this method.',
      advice:
        'The header `Allow` lists the methods of the path. The reference names the right method for each operation.',
    },
    cs: {
      meaning: 'Cesta existuje, ale ne s touto metodou.',
      advice: 'Hlavička `Allow` vyjmenuje metody této cesty. Reference uvádí u každé operace tu správnou.',
    },
  },
  request_timeout: {
    en: {
      meaning:
        'The headers or the body of the request arrived too slowly. The connection is closed; nothing was changed.',
      advice: 'Send the request again, over a better connection or with a smaller upload.',
    },
    cs: {
      meaning: 'Hlavička nebo tělo požadavku přicházely příliš pomalu. Spojení se zavírá a nic se nezměnilo.',
      advice: 'Pošlete požadavek znovu, po lepším spojení nebo s menším souborem.',
    },
  },
  conflict: {
    en: {
      meaning:
        'The request is valid, but the state of the thing does not allow it, and no other code describes the reason. The situations are listed below.',
      advice: 'Read the thing again and show the person its current state. Repeating the same request does not help.',
    },
    cs: {
      meaning:
        'Požadavek je v pořádku, ale stav věci ho nedovoluje a žádný zvláštní kód neříká víc. Situace jsou níže.',
      advice: 'Načtěte věc znovu a ukažte člověku její současný stav. Opakovat stejný požadavek nepomůže.',
    },
  },
  precondition_failed: {
    en: {
      meaning:
        'The request has an `If-Match` that does not match the current version: somebody has changed the thing since you read it, or the entity tag in the header is malformed. Nothing was changed.',
      advice:
        'The `ETag` of this response belongs to the current version. Read the thing again, show the person what has changed, and repeat the change with the new tag. Your own upload or deletion of a picture also makes a new version: read the thing again afterwards.',
    },
    cs: {
      meaning:
        'Požadavek má `If-Match`, který neodpovídá současné verzi: od načtení věc někdo změnil, nebo značku nelze přečíst. Nic se nezměnilo.',
      advice:
        '`ETag` této odpovědi patří současné verzi. Načtěte věc znovu, ukažte člověku, co je nového, a změnu zopakujte s novou značkou. Novou verzi vytvoří i vaše vlastní nahrání nebo smazání obrázku: potom věc načtěte znovu.',
    },
  },
  cursor_expired: {
    en: {
      meaning:
        'The feed of changes goes back 30 days unless the operator has set another period. This cursor is older, so some of the changes after it may already have been deleted.',
      advice:
        'First send `GET /api/v1/changes` without a cursor; the response contains a current cursor. Then reload everything that you store. In this order no change is missed.',
    },
    cs: {
      meaning:
        'Přehled změn sahá 30 dní zpět, pokud provozovatel neurčí jinak, a tento kurzor je starší: některé změny, ke kterým od té doby došlo, už mohly být smazány.',
      advice:
        'Nejdřív si od `GET /api/v1/changes` bez kurzoru vyžádejte současný kurzor, potom načtěte znovu vše, co si ukládáte. V tomto pořadí žádnou změnu nevynecháte.',
    },
  },
  payload_too_large: {
    en: {
      meaning: `The body is larger than this operation accepts. A JSON body may have ${JSON_MB} MB; the reference states the limit of each upload. Nothing was stored.`,
      advice:
        'Make the picture or video smaller, or send fewer files at once. The limit is documented with the operation.',
    },
    cs: {
      meaning: `Tělo je větší, než operace přijímá. Tělo JSON smí mít ${JSON_MB} MB; limit každého nahrávání uvádí referenční dokumentace. Nic se neuložilo.`,
      advice: 'Zmenšete obrázek či video, nebo jich pošlete najednou méně. Limit je uveden u operace.',
    },
  },
  request_in_progress: {
    en: {
      meaning: `Another request with the same \`Idempotency-Key\` is still being processed, and did not end within ${retries.wait} s.`,
      advice:
        'Wait for `Retry-After` seconds and send the same request with the same key: you receive the response to the first request.',
    },
    cs: {
      meaning: `Jiný požadavek se stejným \`Idempotency-Key\` se ještě zpracovává a neskončil do ${retries.wait} s.`,
      advice:
        'Počkejte `Retry-After` sekund a pošlete stejný požadavek se stejným klíčem: dostanete odpověď toho prvního.',
    },
  },
  idempotency_key_reused: {
    en: {
      meaning:
        'This account has already used this `Idempotency-Key` for a request with another method, path, query or content.',
      advice:
        'Make a new key, such as a UUID, for every change that a person wants. Use the key again only to repeat the same request.',
    },
    cs: {
      meaning:
        'Tento účet už stejný `Idempotency-Key` použil pro požadavek s jinou metodou, cestou, parametry nebo obsahem.',
      advice:
        'Pro každou změnu, kterou člověk chce, vytvořte nový klíč, třeba UUID, a znovu ho použijte jen k opakování téhož požadavku.',
    },
  },
  validation_failed: {
    en: {
      meaning:
        'At least one value is not valid, or the body cannot be read at all. `errors` lists the messages of each field under its dotted name (`title`, `stops.0.title`, `images.2`; `body` for the whole body). Nothing was changed. The situations are listed below.',
      advice:
        'Show each message at its field, and send the request again once the values are corrected. The same values will be refused again.',
    },
    cs: {
      meaning:
        'Aspoň jednu hodnotu nelze přijmout, nebo tělo nelze vůbec přečíst. V `errors` jsou texty podle jména pole s tečkami (`title`, `stops.0.title`, `images.2`; `body` za celek). Nic se nezměnilo. Situace jsou níže.',
      advice:
        'Ukažte každý text u jeho pole a pošlete požadavek znovu, až budou hodnoty v pořádku. Beze změny bude odmítnut zase.',
    },
  },
  bad_request: {
    en: {
      meaning:
        'The server did not receive a valid HTTP request: the request line, a header or the framing is broken. The connection is closed.',
      advice:
        'Use an HTTP library. If you already use one, look at what is between the library and the server: a proxy, or TLS on a port without TLS.',
    },
    cs: {
      meaning: 'To, co přišlo, není požadavek HTTP: vadný řádek požadavku, hlavička nebo rámec. Spojení se zavírá.',
      advice:
        'Použijte knihovnu pro HTTP. Pokud ji používáte, podívejte se, co stojí mezi ní a serverem: proxy, nebo TLS na portu bez něj.',
    },
  },
  headers_too_large: {
    en: {
      meaning:
        'The headers of the request, including its URL, are larger than the server accepts. The connection is closed.',
      advice: 'Send fewer and shorter headers. The usual cause is a cookie or a query string that has become too long.',
    },
    cs: {
      meaning: 'Hlavičky požadavku, včetně jeho adresy, jsou větší, než server přijímá. Spojení se zavírá.',
      advice: 'Posílejte méně hlaviček a kratší: většinou za to může cookie nebo příliš dlouhé parametry.',
    },
  },
  too_many_requests: {
    en: {
      meaning: `The limit for this minute is used up: ${requests.per_token} requests per token and ${requests.per_ip} per IP address, unless the server is configured otherwise. The same code refuses too many wrong event passwords, more than ${people.searches.max} searches for people a minute, and, for one account, more than ${shares.streams.account} streams of \`/changes\` or ${shares.waits.account} requests with \`wait\` at a time.`,
      advice:
        'Wait for `Retry-After` seconds; there is no need to wait longer. Watch `X-RateLimit-Remaining`, request larger pages (`per_page`), and poll with `If-None-Match`. `GET /api/v1/limits` lists the limits of the account, also `streams`. If no more streams are free, read `/changes` with `wait` instead.',
    },
    cs: {
      meaning: `Limit pro tuto minutu je vyčerpaný: ${requests.per_token} požadavků na token a ${requests.per_ip} na IP adresu, není-li server nastaven jinak. Stejně se odmítá i příliš mnoho chybných hesel k akci, víc než ${people.searches.max} hledání lidí za minutu a víc než ${shares.streams.account} proudy \`/changes\` nebo ${shares.waits.account} požadavků s \`wait\` najednou na jeden účet.`,
      advice:
        'Počkejte `Retry-After` sekund; déle čekat nemusíte. Sledujte `X-RateLimit-Remaining`, žádejte větší stránky (`per_page`) a místo slepého dotazování použijte `If-None-Match`. Limity účtu, i `streams`, vypisuje `GET /api/v1/limits`. Když už žádný proud není volný, čtěte `/changes` s `wait`.',
    },
  },
  server_error: {
    en: {
      meaning:
        'Status 500: something went wrong on our side. Status 503: the server is overloaded, restarting or in maintenance. `Retry-After` says when to try again. During maintenance, `message` has the reason.',
      advice:
        'After 503 wait and try again; a change is safe to repeat with an `Idempotency-Key`. After 500, send the `X-Request-Id` to the operator of the server.',
    },
    cs: {
      meaning:
        'Stav 500: něco je špatně na naší straně. Stav 503: server je přetížený, restartuje se nebo na něm probíhá údržba. Kdy to zkusit znovu, říká `Retry-After`. Důvod údržby je v `message`.',
      advice:
        'Po 503 počkejte a zkuste to znovu; změnu lze bezpečně opakovat s `Idempotency-Key`. Po 500 řekněte provozovateli `X-Request-Id`.',
    },
  },
  premium_required: {
    en: {
      meaning:
        'The account currently has no Premium and is not verified. This is checked on every request, so a token can stop working and start working again. Some servers give newcomers Premium for a number of days; `premium_until` of `GET /api/v1/user` and the tab *For developers* of the account show when it ends.',
      advice:
        'Tell the person that the API needs Premium or a verified account. The same token works again once the account has one of them.',
    },
    cs: {
      meaning:
        'Účet teď nemá Premium ani není ověřený. Posuzuje se při každém požadavku: token může přestat fungovat a zase začít. Některé servery dávají nováčkům Premium na určitý počet dní; kdy skončí, ukazuje `premium_until` v `GET /api/v1/user` a záložka *Pro vývojáře* v účtu.',
      advice:
        'Řekněte člověku, že API potřebuje Premium nebo ověřený účet. Jakmile jedno z toho platí, funguje zase stejný token.',
    },
  },
  insufficient_scope: {
    en: {
      meaning:
        'The scopes of the token do not contain what the operation needs: the token is for reading only and the method is not GET or HEAD, or it was created for other parts of the API. `WWW-Authenticate` names the missing scope.',
      advice:
        'Ask the person for a token with *read + write*, or with the scope of the operation. `token.abilities` in `GET /api/v1/user` lists what a token may do, and the reference names the scope of each operation.',
    },
    cs: {
      meaning:
        'Token neobsahuje to, co operace potřebuje: je jen pro čtení a metoda není GET ani HEAD, nebo vznikl pro jiné části API. Chybějící rozsah uvádí `WWW-Authenticate`.',
      advice:
        'Požádejte člověka o token pro *čtení a zápis* nebo o token s rozsahem této operace. Co token smí, říká `GET /api/v1/user` v `token.abilities`; rozsah každé operace uvádí referenční dokumentace.',
    },
  },
  banned: {
    en: {
      meaning:
        'On every path: the whole account is banned from the service. On the paths of one event: the organizer has banned this person from it.',
      advice:
        'Do not try again. If `GET /api/v1/user` still succeeds, the ban is for the event only: remove the event from the person’s lists.',
    },
    cs: {
      meaning: 'Na všech cestách: celý účet má zákaz. Na cestách jedné akce: pořadatel tomuto člověku zakázal účast.',
      advice:
        'Znovu to nezkoušejte. Pokud `GET /api/v1/user` dál uspěje, zákaz platí jen pro tu akci: vyřaďte ji ze seznamů tohoto člověka.',
    },
  },
} as const satisfies Record<string, RefusalHelp>;

import { LIMITS } from '#contract/limits';
import type { Locale } from '#contract/vocabulary';
import { INTRODUCTION_CS } from './introduction.cs';

const { apps, pagination, requests, transport } = LIMITS;

/**
 * General information about the API, in Markdown. In English it is the description in the OpenAPI document; in both
 * languages it is the page /docs.
 */
export function introduction(origin: string, locale: Locale = 'en'): string {
  return { en: INTRODUCTION, cs: INTRODUCTION_CS }[locale].replaceAll('{origin}', origin);
}

const INTRODUCTION = `
A JSON API for social events: browse public events, create and run your own events, join events of other people, talk to each other, and share costs.

## The first call

Make a token in *Profile → For developers* ({origin}/account/api), and ask who you are:

\`\`\`sh
curl {origin}/api/v1/user -H 'Authorization: Bearer evt_…'
\`\`\`

Then create an event. Only a title and a start are needed:

\`\`\`sh
curl {origin}/api/v1/events -H 'Authorization: Bearer evt_…' -H 'Content-Type: application/json' \\
  -d '{"title": "Tea at five", "starts_at": "2030-05-01T16:00:00Z"}'
\`\`\`

A single object is returned as \`{"data": {…}}\`, several objects as \`{"data": […]}\`.

## Tokens

Every request needs \`Authorization: Bearer evt_…\`. A token is made for reading, for reading and writing, or for some parts of the API
([scopes]({origin}/docs/security)); any other use is refused with 403 \`insufficient_scope\`. The account of the token must be verified or have Premium
(otherwise 403 \`premium_required\`). A token may expire, and can be revoked at any time. It is not a JWT: there is nothing inside to decode. Keep it secret, and
do not put it in URLs. \`premium_until\` of \`GET /user\` shows when the Premium of the account ends; on a demo server a new account has Premium for 30 days.

## Your first app in ten minutes

A personal token acts for you. An app acts for everybody who connects it, by OAuth 2.1, and never sees a password.

1. **Register it.** The answer has the \`client_id\`. An app that is registered in this way has no secret; if nobody connects the app, it is deleted after ${apps.registration_unused / 3600} hours. Apps with a
   developer's name, an icon or a secret are made on {origin}/account/apps/own. The answer also has fields of OpenID Connect, which have no effect here, and \`scope\` in this request is ignored: choose the scopes in step 2.

   \`\`\`sh
   curl {origin}/oauth/register -H 'Content-Type: application/json' \\
     -d '{"client_name": "My events", "redirect_uris": ["http://127.0.0.1/"]}'
   \`\`\`

2. **Ask the person.** Make a random \`code_verifier\` and a random \`state\`, remember both, and send the browser to the address below. \`code_challenge\` is the
   SHA-256 of the verifier as base64url. If the redirect address is on the person's own computer, it may have any port.

   \`\`\`text
   {origin}/oauth/authorize?response_type=code&client_id=CLIENT_ID&redirect_uri=http://127.0.0.1:8080/&scope=events:read&state=STATE&code_challenge=CHALLENGE&code_challenge_method=S256
   \`\`\`

3. **Exchange the code.** The browser comes back to your address with \`code\`, \`state\` and \`iss\`. Go on only if \`state\` is yours and \`iss\` is \`{origin}\`.

   \`\`\`sh
   curl {origin}/oauth/token -d grant_type=authorization_code -d client_id=CLIENT_ID -d code=CODE \\
     -d redirect_uri=http://127.0.0.1:8080/ -d code_verifier=VERIFIER
   \`\`\`

4. **Call the API** with the \`access_token\`, which is valid for an hour. After that, exchange the \`refresh_token\` for a new pair of tokens, and store the new pair in place of the old one.

   \`\`\`sh
   curl {origin}/api/v1/events -H 'Authorization: Bearer ACCESS_TOKEN'
   curl {origin}/oauth/token -d grant_type=refresh_token -d client_id=CLIENT_ID -d refresh_token=REFRESH_TOKEN
   \`\`\`

A device or a program in a terminal asks \`POST /oauth/device_authorization\` for a code, shows it, and the person enters it on {origin}/device. The SDK does all of this
(\`Connection\`), and the repository has two example apps: a browser app without a backend, and a command-line tool (\`examples\`). All endpoints are listed in
{origin}/.well-known/oauth-authorization-server. See also [what each scope allows, and how to store tokens]({origin}/docs/security).

## Pages

Lists take \`page\` (from ${pagination.page.min}) and \`per_page\` (${pagination.per_page.min} to ${pagination.per_page.max}, default ${pagination.per_page.default}), and answer with \`data\`, \`links\` and \`meta\`. Follow
\`links.next\` until it is null; the links keep your other parameters. \`meta.total\` is exact. \`/changes\` has cursors
instead of pages; the Puls feed and \`/limits\` have neither.

A page is counted from the beginning of the list. If an entry of an earlier page disappears while you go through the pages, the later entries move up, and you
may miss one of them. If an entry is added, you may see another entry twice. If you need everything, go through the list again, or follow \`/changes\`.
\`GET /discover/events\` also has cursors: send \`meta.next_cursor\` as \`cursor\` until it is null, and no event that stays in the list is skipped or repeated.

Query parameters that an operation does not know are ignored, misspelled ones too. While you develop, send \`Prefer: handling=strict\`: then unknown
query parameters and unknown fields of a body are refused with 422 \`validation_failed\`, and the answer has \`Preference-Applied: handling=strict\`.

## Keep a copy of what the token’s owner sees

Store the cursor of \`GET /changes\`, then read everything once, and follow the feed from that cursor with \`include=subject\`: each entry then has \`object\`, the current content of
\`subject.url\`. If this address returns a list, \`object\` is the subject’s item in this list. A page has at most 1 MB: continue while \`meta.has_more\` is true. After 410 \`cursor_expired\`, begin again with a new cursor.

- Store \`object\` under \`subject.type\`, \`subject.id\` and the event or group of the subject (\`subject.event\`, \`subject.group\`): the id of a participant or member is the slug of the person, which is the same in all events and groups.
- If \`object\` is null, delete the stored object. If that was an event, group or post, delete everything that belongs to it; for a group, also the events that you see only through this group.
- If \`subject.url\` is the address of an event or a group, \`object\` is this event or group. This also applies to entries \`member.*\`, and to entries \`participant.*\` about yourself. An object with \`group_link\` is an item of a group's list of events: store it in that list, and do not overwrite the event with it.
- Some changes also affect other objects. Read these objects again, once for each page of entries: for \`participant.*\` the event; for \`member.*\` the group; for \`comment.*\` the list at \`subject.url\`, because
  a reply is also in the \`replies\` of another comment; for \`expense.*\` the expenses at \`subject.url\`, because a payment has an entry \`expense.updated\`, and the balances have no entries. If you store the lists of the events of groups, read these lists again for \`event.*\` and \`group.*\`.
- When you become a participant of an event or a member of a group, read all its parts: the parts that you could not see before have no new entries.

## Times

Answers have times in UTC with whole seconds: \`2030-05-01T16:00:00Z\`. Send ISO 8601 with \`Z\` or an offset; a time without either is
taken as a time in Europe/Prague. Days (\`2030-05-01\`) are days in Prague. The day of a daily limit is a day in Prague too.

## Ids

Ids are texts of letters (hashids): store them unchanged, and do not rely on their length. In paths, users and blog posts are
identified by a \`slug\`. Where a path contains the id of an event, the numeric id of the event works as well. A request for a thing that you may not see is answered with 404, as if the thing did not exist.

## Bodies

Send a JSON object with \`Content-Type: application/json\`. \`createPuls\` and the uploads of pictures take only \`multipart/form-data\`; a comment takes both. Unknown fields are ignored. Texts are trimmed, and an empty
text counts as null. In **PATCH** a field that is absent stays as it is, null clears it, and a value replaces it; PUT replaces the
whole resource. Optional fields of answers may be absent where the reference says so; new fields can appear at any time.

## Errors

Every error has the same form:

\`\`\`json
{"message": "The event is full.", "code": "event_full"}
\`\`\`

Branch on \`code\`, which never changes, and show \`message\`, which is for people. Only \`validation_failed\` has \`errors\`: an object
with a list of texts for each refused field, by the field’s dotted name (\`stops.0.title\`). The header \`Link: <{origin}/docs/errors/event_full>; rel="help"\` leads to a page about the code.
The reference lists, for each operation, every code that it can return.

Some answers belong to no operation: 404 \`not_found\` for an unknown path; 405 \`method_not_allowed\` for a method that a path does not have,
with \`Allow\`. Malformed HTTP gets 400 \`bad_request\`, 408 \`request_timeout\` or 431 \`headers_too_large\`, and then the
connection is closed. 500 and 503 \`server_error\` are not caused by your request: after 503 try again, and after 500 report the \`X-Request-Id\`.

## Limits and retries

A token may send ${requests.per_token} requests a minute and an IP address ${requests.per_ip}, unless this server is configured otherwise; \`X-RateLimit-Limit\` and
\`X-RateLimit-Remaining\` show how much is left. Above the limit you get 429 \`too_many_requests\` with \`Retry-After\` in seconds: wait that
long. Daily limits have codes of their own (\`daily_event_limit\`), and their \`Retry-After\` contains the seconds until midnight in Prague. After 503 or
a lost connection, you can send a GET again unchanged. You can also repeat a change that has an \`Idempotency-Key\`, which you generate: within
24 hours the change is made only once, and each repetition gets the first answer, with \`Idempotency-Replayed: true\`. When you read something again, send its \`ETag\` in
\`If-None-Match\`: 304 means that nothing has changed. Send the \`ETag\` of your own event, series, group, post or itinerary as \`If-Match\` with a change.
Then the service refuses to overwrite a version that you have not seen: 412 \`precondition_failed\`. A JSON body may have ${transport.json_body / 1024 ** 2} MB; the reference has the limit of each upload.

## Languages

\`message\` and \`errors\` are in Czech or English, as \`Accept-Language\` says. If the header names neither language, the texts are in the language of the token's owner. Codes, field names
and values are the same in every language.

## Testing

\`npm run sandbox\` in the repository starts a server of your own with demo data, four tokens, very high limits, and a clock that your tests can move
(\`docs/sandbox.md\`). Webhooks of this server may have http addresses and addresses on your own computer. The SDK controls this server with \`sandbox(baseUrl)\`.

## Versions

The version is in the path, \`/api/v1\`. Within a version, fields, optional parameters, operations, codes and values may be added: ignore what you do not know. Nothing
gets another meaning, and nothing is removed without notice. A removal is announced at least six months ahead: by
\`deprecated: true\` in the OpenAPI document, and by the response headers \`Deprecation\` (RFC 9745: since when) and \`Sunset\` (RFC 8594: until when). A
change that would break clients becomes a new version next to this one.

## Licence

No licence has been given yet: all rights are reserved by the authors.
`.trim();

import type { RefusalHelp } from './help-text';
import { LIMITS } from './limits';

const { moderation, comments, groups, puls, webhooks } = LIMITS;

/** Help for the codes about groups, webhooks, comments, Puls posts and reports. */
export const COMMUNITY_HELP = {
  group_limit_reached: {
    en: {
      meaning: `This account owns ${groups.founded_per_account} groups, which is the limit.`,
      advice:
        'After one of them is deleted, a new group can be founded immediately. There is no such limit for being a member of other people’s groups.',
    },
    cs: {
      meaning: `Tento účet vlastní ${groups.founded_per_account} skupin, a víc jich jeden účet vlastnit nesmí.`,
      advice: 'Po smazání některé z nich lze hned založit další. Členství v cizích skupinách takový limit nemá.',
    },
  },
  webhook_limit_reached: {
    en: {
      meaning: `This account has ${webhooks.per_account} webhooks, which is the limit.`,
      advice: 'Delete one of them, or let one webhook receive more types (`types: null` means all types).',
    },
    cs: {
      meaning: `Tento účet má ${webhooks.per_account} webhooků, a víc jich jeden účet mít nesmí.`,
      advice: 'Smažte některý z nich, nebo ať jeden dostává víc typů (`types: null` jsou všechny).',
    },
  },
  invalid_invitee: {
    en: {
      meaning:
        'The user does not exist, is banned, does not want to be found, owns the group, or has blocked its owner. The server does not say which.',
      advice:
        'Ask the inviting user to check the `slug`, or offer the invite link of the group instead (`POST /api/v1/groups/{id}/invite-link`).',
    },
    cs: {
      meaning:
        'Uživatel neexistuje, má zablokovaný účet, nechce být nalezen, skupinu vlastní, nebo jejího vlastníka blokuje. Server neprozrazuje, co z toho platí.',
      advice:
        'Ať ten, kdo zve, zkontroluje `slug`, nebo mu místo pozvánky nabídněte odkaz do skupiny (`POST /api/v1/groups/{id}/invite-link`).',
    },
  },
  already_related: {
    en: {
      meaning: 'The person owns the group, belongs to it or is invited to it already.',
      advice: 'Treat the request as done. The invited person accepts with `POST /api/v1/groups/{id}/join`.',
    },
    cs: {
      meaning: 'Člověk už skupinu vlastní, patří do ní nebo je do ní pozvaný.',
      advice: 'Berte to jako hotové. Pozvánku přijme pozvaný pomocí `POST /api/v1/groups/{id}/join`.',
    },
  },
  has_pending_request: {
    en: {
      meaning: 'This person has asked to join the group, and the group’s owner has not answered yet.',
      advice:
        'The owner does not need to invite this person, but can approve the request (`POST /api/v1/groups/{id}/members/{slug}/approve`). The person can withdraw the request with `DELETE /api/v1/groups/{id}/join`.',
    },
    cs: {
      meaning: 'Tento člověk požádal o vstup do skupiny a její vlastník zatím neodpověděl.',
      advice:
        'Vlastník nemusí tohoto člověka zvát, stačí žádost schválit (`POST /api/v1/groups/{id}/members/{slug}/approve`). Ten, kdo žádá, ji může vzít zpět pomocí `DELETE /api/v1/groups/{id}/join`.',
    },
  },
  owner_cannot_leave: {
    en: {
      meaning: 'A group always has its owner, who cannot leave it.',
      advice: 'Offer to delete the group instead (`DELETE /api/v1/groups/{id}`).',
    },
    cs: {
      meaning: 'Skupina má vždy vlastníka, a ten z ní nemůže odejít.',
      advice: 'Nabídněte mu místo toho smazání skupiny (`DELETE /api/v1/groups/{id}`).',
    },
  },
  cannot_remove_owner: {
    en: {
      meaning: 'The person to be removed is the owner of the group.',
      advice: 'Do not offer the removal of the member with the role `owner`.',
    },
    cs: { meaning: 'Odebíraný člověk je vlastníkem skupiny.', advice: 'U člena s rolí `owner` odebrání nenabízejte.' },
  },
  not_requested: {
    en: {
      meaning: 'This person has not asked to join the group, or has withdrawn the request.',
      advice: 'Read the members again. If the person should be in the group, invite the person.',
    },
    cs: {
      meaning: 'Tento člověk o vstup do skupiny nežádá, nebo už žádost vzal zpět.',
      advice: 'Načtěte členy znovu; má-li ve skupině být, pozvěte ho.',
    },
  },
  not_related: {
    en: {
      meaning: 'This person has no membership, invitation or request in the group.',
      advice:
        'If the request was meant to remove the person from the group, treat it as done; otherwise read the members again.',
    },
    cs: {
      meaning: 'Tento člověk nemá ve skupině členství, pozvánku ani žádost.',
      advice: 'Pokud měl požadavek tohoto člověka ze skupiny odebrat, berte to jako hotové; jinak načtěte členy znovu.',
    },
  },
  comment_forbidden: {
    en: {
      meaning:
        'Only the organizer and confirmed participants can comment on an event; anyone can comment on a published blog post.',
      advice:
        'On the page of an event, offer the comment form only to the organizer and the confirmed participants. A person who joins the event may also comment.',
    },
    cs: {
      meaning: 'Akci smí komentovat pořadatel a potvrzení účastníci, příspěvek blogu kdokoli, jakmile je zveřejněný.',
      advice:
        'Formulář pro komentář akce nabízejte jen pořadateli a potvrzeným účastníkům. Kdo se k akci připojí, může také komentovat.',
    },
  },
  parent_invalid: {
    en: {
      meaning:
        '`parent` is not a comment on this event or post: the comment does not exist, was deleted, or belongs to another event or post.',
      advice: 'Read the comments again, and let the person reply to an existing comment, or write without `parent`.',
    },
    cs: {
      meaning: '`parent` není komentářem této akce či příspěvku: neexistuje, byl smazán, nebo patří jinam.',
      advice: 'Načtěte komentáře znovu a nechte člověka odpovědět na existující, nebo psát bez `parent`.',
    },
  },
  rate_limited: {
    en: {
      meaning: `This person has written ${comments.per_user.max} comments within ${comments.per_user.window} seconds, through the API and on the web together.`,
      advice: 'Keep the text and send it again after `Retry-After` seconds.',
    },
    cs: {
      meaning: `Tento člověk napsal během ${comments.per_user.window} sekund ${comments.per_user.max} komentářů, přes API i na webu dohromady.`,
      advice: 'Text si ponechte a pošlete ho znovu za `Retry-After` sekund.',
    },
  },
  paid_post_unsupported: {
    en: {
      meaning:
        'One Puls post of this account is active. A second post would have to be paid for, and this service sells no posts.',
      advice: 'Delete the active post, or wait until it expires (`expires_at`).',
    },
    cs: {
      meaning:
        'Jeden příspěvek tohoto účtu v Pulsu je aktivní. Další by se musel zaplatit, a tato služba příspěvky neprodává.',
      advice: 'Smažte ten aktivní, nebo počkejte, až vyprší (`expires_at`).',
    },
  },
  active_limit_reached: {
    en: {
      meaning: `This account has ${puls.active} active Puls posts, which is the limit.`,
      advice: 'Delete one of them (`GET /api/v1/puls/mine` lists them), or wait until one expires.',
    },
    cs: {
      meaning: `Tento účet má v Pulsu ${puls.active} aktivní příspěvky, a víc jich mít nelze.`,
      advice: 'Jeden z nich smažte (vypíše je `GET /api/v1/puls/mine`), nebo počkejte, až některý vyprší.',
    },
  },
  post_empty: {
    en: {
      meaning: 'The Puls post has no readable text, no photo and no video.',
      advice: 'Ask the person for one of the three before you send the request.',
    },
    cs: {
      meaning: 'Příspěvek v Pulsu nemá žádný čitelný text, fotku ani video.',
      advice: 'Před odesláním si o jedno z toho řekněte.',
    },
  },
  not_owner: {
    en: {
      meaning: 'The Puls post was published by somebody else.',
      advice: 'Offer the deletion only where `viewer.is_mine` is true.',
    },
    cs: {
      meaning: 'Příspěvek v Pulsu zveřejnil někdo jiný.',
      advice: 'Smazání nabízejte jen tehdy, když je `viewer.is_mine` true.',
    },
  },
  already_reported: {
    en: {
      meaning:
        'This account has already reported the same thing, perhaps by another of its identifiers (id or slug), and no moderator has decided on it yet.',
      advice:
        'Treat the request as done. `GET /api/v1/reports` shows the outcome (`outcome`). After the decision, the thing can be reported again.',
    },
    cs: {
      meaning:
        'Tento účet totéž už nahlásil, třeba pod jiným identifikátorem (id nebo slug), a moderátoři o tom ještě nerozhodli.',
      advice:
        'Berte to jako hotové. Výsledek ukáže `GET /api/v1/reports` (`outcome`). Po rozhodnutí lze totéž nahlásit znovu.',
    },
  },
  daily_report_limit: {
    en: {
      meaning: `This account has made ${moderation.reports_per_day} reports today. Days are counted in Prague time.`,
      advice:
        '`Retry-After` is the time until midnight in Prague. `GET /api/v1/limits` shows in advance how many reports are left (`reports`).',
    },
    cs: {
      meaning: `Tento účet dnes podal ${moderation.reports_per_day} nahlášení. Dny se počítají v pražském čase.`,
      advice: '`Retry-After` sahá do pražské půlnoci. Kolik zbývá, řekne předem `GET /api/v1/limits` (`reports`).',
    },
  },
  daily_puls_limit: {
    en: {
      meaning: `This account has published ${puls.created_per_day} Puls posts today, deleted ones included. Days are counted in Prague time.`,
      advice:
        '`Retry-After` is the time until midnight in Prague. `GET /api/v1/limits` shows in advance how many posts are left (`puls_creation`).',
    },
    cs: {
      meaning: `Tento účet dnes zveřejnil ${puls.created_per_day} příspěvky v Pulsu, včetně smazaných. Dny se počítají v pražském čase.`,
      advice:
        '`Retry-After` sahá do pražské půlnoci. Kolik zbývá, řekne předem `GET /api/v1/limits` (`puls_creation`).',
    },
  },
} as const satisfies Record<string, RefusalHelp>;

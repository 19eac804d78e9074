import type { Locale } from '#contract/vocabulary';

interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Text of the button in the mail. */
  readonly action: string;
}

/** Texts of the mails about accounts. `{brand}` is replaced by the service's host. */
export const ACCOUNT_MAILS = {
  /**
   * Registration with an address that has no account. The mail contains no text from the form, because another person
   * may have sent the form.
   */
  register: {
    en: {
      subject: 'Confirm your e-mail address',
      action: 'Confirm address',
      paragraphs: [
        'Somebody, probably you, is creating an account at {brand} with this address. Confirm the address, and you can sign in.',
        'The link is valid for one day. If this was not you, do nothing and no account will be created.',
      ],
    },
    cs: {
      subject: 'Potvrďte svou e-mailovou adresu',
      action: 'Potvrdit adresu',
      paragraphs: [
        'Někdo, nejspíš vy, si s touto adresou zakládá účet na {brand}. Potvrďte ji a můžete se přihlásit.',
        'Odkaz platí jeden den. Pokud jste to nebyli vy, nedělejte nic: účet nevznikne.',
      ],
    },
  },
  /**
   * Registration with an address that already has an account. Only the reader of the mail learns that the account
   * exists.
   */
  register_known: {
    en: {
      subject: 'You already have an account',
      action: 'Sign in',
      paragraphs: [
        'Somebody, probably you, tried to create an account at {brand} with this address. You already have one: sign in, or set a new password if you have forgotten yours.',
        'If this was not you, you need not do anything. Nothing has changed.',
      ],
    },
    cs: {
      subject: 'Účet už máte',
      action: 'Přihlásit se',
      paragraphs: [
        'Někdo, nejspíš vy, si s touto adresou chtěl založit účet na {brand}. Ten už ale existuje: přihlaste se, nebo si nastavte nové heslo, pokud jste ho zapomněli.',
        'Pokud jste to nebyli vy, nedělejte nic: nic se nezměnilo.',
      ],
    },
  },
  reset: {
    en: {
      subject: 'New password',
      action: 'Set a new password',
      paragraphs: [
        'Somebody, probably you, has asked for a new password for your account at {brand}.',
        'The link works once and is valid for 30 minutes. If this was not you, do nothing; your password stays the same.',
      ],
    },
    cs: {
      subject: 'Nové heslo',
      action: 'Nastavit nové heslo',
      paragraphs: [
        'Někdo, nejspíš vy, požádal o nové heslo k vašemu účtu na {brand}.',
        'Odkaz platí 30 minut a lze ho použít jen jednou. Pokud jste to nebyli vy, nedělejte nic: heslo se nezmění.',
      ],
    },
  },
  email: {
    en: {
      subject: 'Confirm your new e-mail address',
      action: 'Confirm address',
      paragraphs: [
        'Somebody, probably you, wants to use this address for their account at {brand}. The change takes effect when you confirm the address.',
        'The link is valid for one day. If this was not you, do nothing.',
      ],
    },
    cs: {
      subject: 'Potvrďte svou novou e-mailovou adresu',
      action: 'Potvrdit adresu',
      paragraphs: [
        'Někdo, nejspíš vy, chce tuto adresu používat pro svůj účet na {brand}. Změna začne platit, až adresu potvrdíte.',
        'Odkaz platí jeden den. Pokud jste to nebyli vy, nedělejte nic.',
      ],
    },
  },
  email_changed: {
    en: {
      subject: 'The e-mail address of your account has changed',
      action: 'Sign in',
      paragraphs: [
        'The e-mail address of your account at {brand} has been changed. E-mails about your account no longer come here.',
        'If this was not you, contact the operator at once.',
      ],
    },
    cs: {
      subject: 'E-mailová adresa vašeho účtu se změnila',
      action: 'Přihlásit se',
      paragraphs: [
        'Váš účet na {brand} má od teď jinou e-mailovou adresu. E-maily o vašem účtu sem už nechodí.',
        'Pokud jste to nebyli vy, hned napište provozovateli.',
      ],
    },
  },
} as const satisfies Record<string, Record<Locale, MailText>>;

export const ACCOUNT_MAIL_WORDS = {
  hello: { en: 'Hello,', cs: 'Dobrý den!' },
  // The Czech greeting has no name, because the name would have to be in the vocative.
  hello_name: { en: 'Hello {name},', cs: 'Dobrý den!' },
  forgotten: { en: 'I have forgotten my password', cs: 'Nepamatuji si heslo' },
} as const satisfies Record<string, Record<Locale, string>>;

export type AccountMailText = keyof typeof ACCOUNT_MAILS;

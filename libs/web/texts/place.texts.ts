import type { Locale } from '#contract/vocabulary';

/** Texts of fields for places. */
export const PLACE_TEXTS = {
  place_field: { cs: 'Obec nebo čtvrť', en: 'Town or district' },
  puls_place_hint: {
    cs: 'Povinné, pokud nezadáte souřadnice. Třeba Brno nebo Praha 7.',
    en: 'Required, unless you enter coordinates. For example Brno or Praha 7.',
  },
  place_hint: {
    cs: 'Třeba Brno nebo Praha 7. Když vyplníte souřadnice, mají přednost.',
    en: 'For example Brno or Praha 7. If you enter coordinates, they are used instead.',
  },
  place_choose: { cs: 'Které místo myslíte?', en: 'Which place do you mean?' },
  place_other: { cs: 'jiné, napíšu ho níže', en: 'another place, which I type below' },
  place_own: { cs: 'Kde bydlíte', en: 'Where you live' },
  place_own_hint: {
    cs: 'Obec nebo čtvrť. Ukážeme vám pak akce v okolí. Nikdo jiný ji neuvidí.',
    en: 'A town or district. We then show you events around it. Nobody else sees it.',
  },
} as const satisfies Record<string, Record<Locale, string>>;

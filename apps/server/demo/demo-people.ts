/** The person whose token is printed at every start. */
export const DEMO_USER = 'jana-novakova';

/** The slugs of all people in the demo. */
export const DEMO_SLUGS = [
  DEMO_USER,
  'petr-svoboda',
  'tereza-dvorakova',
  'ondrej-cerny',
  'lucie-prochazkova',
  'stepan-kucera',
  'zuzana-vesela',
  'jiri-horak',
] as const;

import { PRAGUE_ZONE } from '#platform/time/prague';

/** A component in jCal (RFC 7265): name, properties (name, parameters, type, value), components. */
export type JCal = readonly [string, readonly (readonly unknown[])[], readonly JCal[]];

/** From this instant on, Prague's time zone follows the rules below. Earlier times are written in UTC. */
export const RULES_SINCE = Date.UTC(1997, 0, 1);

/**
 * The clock changes: 02:00 becomes 03:00 on the last Sunday of March, and 03:00 becomes 02:00 on the last Sunday of
 * October (Directive 2000/84/EC).
 */
export const PRAGUE: JCal = [
  'vtimezone',
  [['tzid', {}, 'text', PRAGUE_ZONE]],
  [
    change('daylight', { from: '+01:00', to: '+02:00', name: 'CEST', first: '1997-03-30T02:00:00', month: 3 }),
    change('standard', { from: '+02:00', to: '+01:00', name: 'CET', first: '1996-10-27T03:00:00', month: 10 }),
  ],
];

interface Change {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  /** The first of these clock changes, in the local time before the change. */
  readonly first: string;
  readonly month: number;
}

function change(kind: 'daylight' | 'standard', { from, to, name, first, month }: Change): JCal {
  return [
    kind,
    [
      ['dtstart', {}, 'date-time', first],
      ['tzoffsetfrom', {}, 'utc-offset', from],
      ['tzoffsetto', {}, 'utc-offset', to],
      ['tzname', {}, 'text', name],
      ['rrule', {}, 'recur', { freq: 'YEARLY', bymonth: month, byday: '-1SU' }],
    ],
    [],
  ];
}

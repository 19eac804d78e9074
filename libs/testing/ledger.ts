import type { Host } from './host';

/** Rows that violate the invariants of credits, counts, tickets or check-in codes; an empty list if there are none. */
export async function ledgerFaults({ database }: Pick<Host, 'database'>): Promise<unknown[]> {
  const faults = await database.manager.query<unknown[]>(`
    SELECT 'transfer does not consist of two entries that add up to zero' AS fault, transfer::text AS what FROM credit_entries GROUP BY transfer HAVING sum(amount) <> 0 OR count(*) <> 2
    UNION ALL SELECT 'account is not the sum of its entries', a.user_id::text FROM credit_accounts a
      LEFT JOIN credit_entries e ON e.user_id = a.user_id GROUP BY a.user_id, a.balance, a.held
      HAVING a.balance <> coalesce(sum(e.amount) FILTER (WHERE e.account = 'balance'), 0) OR a.held <> coalesce(sum(e.amount) FILTER (WHERE e.account = 'held'), 0)
    UNION ALL SELECT 'held credits differ from the sum of the holds', a.user_id::text FROM credit_accounts a
      WHERE a.held <> (SELECT coalesce(sum(h.amount), 0) FROM credit_holds h WHERE h.user_id = a.user_id AND h.status = 'held')
    UNION ALL SELECT 'credits are held for a person who is not confirmed', h.id::text FROM credit_holds h JOIN events e ON e.id = h.event_id AND e.status = 'active'
      WHERE h.status = 'held' AND NOT EXISTS (SELECT 1 FROM participations p WHERE p.credit_hold_id = h.id AND p.status = 'confirmed')
    UNION ALL SELECT 'credits are held for a cancelled event', h.id::text FROM credit_holds h JOIN events e ON e.id = h.event_id AND e.status = 'cancelled' WHERE h.status = 'held'
    UNION ALL SELECT 'count differs from the rows', e.id::text FROM events e
      WHERE e.confirmed_count <> (SELECT count(*) FROM participations p WHERE p.event_id = e.id AND p.status = 'confirmed')
    UNION ALL SELECT 'ticket and participant disagree', p.event_id::text FROM participations p
      WHERE p.ticket_code IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tickets t WHERE t.event_id = p.event_id AND t.code = p.ticket_code AND t.used_by = p.user_id)
    UNION ALL SELECT 'confirmed participant without a check-in code', p.event_id::text FROM participations p WHERE p.status = 'confirmed' AND p.check_in_code IS NULL`);
  return faults;
}

import type { ParticipationState } from '#contract/vocabulary';
import type { EventOptions } from '#testing/builders';
import type { Person } from '#testing/people';
import type { SituationBuilder, SituationFactories, Write } from './situation-builder';

export function participationWrites(make: SituationBuilder): SituationFactories {
  const guestWrite = async (
    method: string,
    suffix: string,
    state: ParticipationState,
    status: number,
  ): Promise<Write> => {
    const { guest: who, path } = await make.eventWith(state);
    return { who, method, path: `${path}${suffix}`, status };
  };
  const hostWrite = async (
    method: string,
    suffix: string,
    state: ParticipationState,
    status: number,
    options: EventOptions = {},
  ): Promise<Write> => {
    const {
      host: who,
      guest: { slug },
      path,
    } = await make.eventWith(state, options);
    return { who, method, path: `${path}/participants/${slug}${suffix}`, status };
  };
  const eventWithTicket = async (): Promise<{ host: Person; path: string; code: string }> => {
    const { host, path } = await make.event({ join_mode: 'tickets', max_participants: 9 });
    const { body } = await host.api.post(`${path}/tickets`, { count: 1 });
    return { host, path, code: body.data[0].code as string };
  };
  return {
    joinEvent: async () => ({
      who: await make.someone(),
      method: 'POST',
      path: `${(await make.event()).path}/join`,
      json: {},
      status: 200,
    }),
    leaveEvent: () => guestWrite('DELETE', '/join', 'confirmed', 204),
    joinEventWaitlist: async () => ({
      who: await make.someone(),
      method: 'POST',
      path: `${(await make.eventWith('confirmed', { max_participants: 2 })).path}/waitlist`,
      status: 200,
    }),
    inviteEventParticipant: async () => {
      const { host: who, path } = await make.event();
      return {
        who,
        method: 'POST',
        path: `${path}/participants`,
        json: { user: (await make.someone()).slug },
        status: 201,
      };
    },
    removeEventParticipant: () => hostWrite('DELETE', '?ban=1', 'confirmed', 204),
    promoteEventParticipant: () => hostWrite('POST', '/promote', 'requested', 200, { join_mode: 'request' }),
    checkInEventParticipant: () => hostWrite('PUT', '/check-in', 'confirmed', 200),
    undoEventCheckIn: async () => {
      const write = await hostWrite('DELETE', '/check-in', 'confirmed', 200);
      await write.who.api.put(write.path);
      return write;
    },
    checkInByCode: async () => {
      const { host: who, path } = await make.event();
      const joined = await (await make.someone()).api.post(`${path}/join`, {});
      return {
        who,
        method: 'POST',
        path: `${path}/check-in`,
        json: { code: joined.body.data.viewer.check_in_code as string },
        status: 200,
      };
    },
    sendDoorScans: async () => {
      const {
        host: who,
        guest: { slug },
        path,
      } = await make.eventWith('confirmed');
      const scans = [{ user: slug, scanned_at: new Date(make.server.clock.now().getTime() - 60_000).toISOString() }];
      return { who, method: 'POST', path: `${path}/door/scans`, json: { device: 'left', scans }, status: 200 };
    },
    createDoorLink: async () => {
      const { host: who, path } = await make.event();
      return { who, method: 'POST', path: `${path}/door/links`, json: { name: 'Left' }, status: 201 };
    },
    deleteDoorLink: async () => {
      const { host: who, path } = await make.event();
      const { body } = await who.api.post(`${path}/door/links`, { name: 'Left' });
      return { who, method: 'DELETE', path: `${path}/door/links/${body.data.id as string}`, status: 204 };
    },
    createEventTickets: async () => {
      const { host: who, path } = await eventWithTicket();
      return { who, method: 'POST', path: `${path}/tickets`, json: { count: 3 }, status: 201 };
    },
    deleteEventTicket: async () => {
      const { host: who, path, code } = await eventWithTicket();
      return { who, method: 'DELETE', path: `${path}/tickets/${code}`, status: 204 };
    },
  };
}
